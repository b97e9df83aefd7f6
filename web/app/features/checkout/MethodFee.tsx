import { Group, Stack, Text } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import type { OfferedMethods } from './methods.queries.ts'

interface MethodFeeProps extends Pick<OfferedMethods, 'chosen' | 'isStale'> {
  /** The currency of the order. */
  currency: Currency
}

/** What the chosen way to pay costs, and what is paid by it in all; nothing where it costs nothing. */
export function MethodFee({ chosen, isStale, currency }: MethodFeeProps) {
  const { t } = useTranslation()
  if (!chosen || chosen.fee === null) return null
  const { fee, charge } = chosen
  return (
    <Stack gap={4} aria-busy={isStale}>
      <Group justify="space-between" align="baseline">
        <Text c="dimmed">{t('checkout.fee')}</Text>
        <Text fw={600}>{isStale ? '…' : <Amount value={fee} currency={currency} />}</Text>
      </Group>
      {charge.amount !== null && (
        <Group justify="space-between" align="baseline">
          <Text c="dimmed">{t('checkout.withFee')}</Text>
          <Text fw={700}>{isStale ? '…' : <Amount value={charge.amount} currency={charge.currency} />}</Text>
        </Group>
      )}
    </Stack>
  )
}
