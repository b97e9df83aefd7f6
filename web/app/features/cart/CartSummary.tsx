import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Amount } from '../../money/Amount.tsx'
import { useCurrency } from '../../money/currency.ts'
import { toTotal } from '../../money/total.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { countAll, isAvailable } from './cart.rules.ts'

/** Subtotals in both currencies and the way on. */
export function CartSummary({ items }: { items: CartItem[] }) {
  const { t } = useTranslation()
  const isDollar = useCurrency() === 'USD'
  const canCheckOut = items.every(isAvailable)

  return (
    <Surface>
      <Stack gap="xs" component="section" aria-label={t('cart.summary')}>
        <Text c="dimmed">{t('cart.count', { count: countAll(items) })}</Text>
        <Row label={t('cart.subtotalRub')} isMain={!isDollar}>
          <Amount value={toTotal(items, 'RUB')} currency="RUB" isRounded />
        </Row>
        <Row label={t('cart.subtotalUsd')} isMain={isDollar}>
          <Amount value={toTotal(items, 'USD')} currency="USD" />
        </Row>
        <Divider my={4} color="var(--olmos-line)" />
        {canCheckOut ? (
          <Button component={Link} to={paths.checkout} size="md" fullWidth>
            {t('cart.checkout')}
          </Button>
        ) : (
          <>
            <Button size="md" fullWidth disabled>
              {t('cart.checkout')}
            </Button>
            <Text size="sm" c="var(--olmos-bad)">
              {t('cart.notAvailable')}
            </Text>
          </>
        )}
      </Stack>
    </Surface>
  )
}

function Row({ label, isMain, children }: { label: string; isMain: boolean; children: React.ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text c="dimmed">{label}</Text>
      <Text fw={isMain ? 700 : 500} size={isMain ? 'xl' : 'md'} aria-live="polite">
        {children}
      </Text>
    </Group>
  )
}
