import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { shownCurrencies } from '../../money/currency.ts'
import { Surface } from '../../ui/Surface.tsx'
import type { BalanceAmounts } from './wallet.queries.ts'

export function Balances({ balances }: { balances: BalanceAmounts | undefined }) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {shownCurrencies.map((currency) => (
        <Surface key={currency}>
          <Text size="sm" c="dimmed">
            {t(currency === 'USD' ? 'profile.balanceUsd' : 'profile.balanceRub')}
          </Text>
          {balances ? (
            <Text fw={700} fz={26} lh={1.4}>
              <Amount value={balances[currency]} currency={currency} />
            </Text>
          ) : (
            <Skeleton h={28} w={140} mt={8} />
          )}
        </Surface>
      ))}
    </SimpleGrid>
  )
}
