import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { PaymentDifference, ReconciledProvider } from '@olmos/contract/reconciliation'
import { Link } from 'react-router'
import { formatDay } from '../../i18n/format-moment.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { readChargeCurrency } from '../../money/currency.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { stateTones, useReconcile, useReconciledDay } from './reconciliation.queries.ts'

/** One day, provider by provider: what was paid there and here, and what differs; it can be compared again. */
export function ReconciledDayView({ day, onClose }: { day: string; onClose(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const query = useReconciledDay(day)
  const reconcile = useReconcile(day)
  return (
    <SideView
      title={`${t('admin.reconciliation.title')}: ${formatDay(day, language)}`}
      closeLabel={t('admin.reconciliation.closeDay')}
      onClose={onClose}
    >
      <Loaded query={query} height={320}>
        {({ providers }) => (
          <Stack>
            <Group>
              <Allowed to="payments.write">
                <Button loading={reconcile.isPending} onClick={() => reconcile.mutate(undefined)}>
                  {t(providers.length > 0 ? 'admin.reconciliation.again' : 'admin.reconciliation.run')}
                </Button>
              </Allowed>
            </Group>
            <RefusalAlert text={reconcile.refusal} />
            {providers.length === 0 && <Text>{t('admin.reconciliation.none')}</Text>}
            {providers.map((provider) => (
              <Provider key={provider.provider} compared={provider} />
            ))}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}

function NotCompared({ why }: { why: string }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const [, part, reason = why] = /^(refunds: )(.*)$/.exec(why) ?? []
  const text = part === undefined ? 'admin.reconciliation.why' : 'admin.reconciliation.refundsWhy'
  return <Text size="sm">{t(text, { why: reasonText(reason) })}</Text>
}

function Provider({ compared }: { compared: ReconciledProvider }) {
  const { t } = useTranslation()
  const { provider, state, why, asked, is_over, differences, difference_count: count } = compared
  const left = count - differences.length
  return (
    <Surface p="md">
      <Stack gap="sm" component="section" aria-labelledby={`reconciled-${provider}`}>
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5" id={`reconciled-${provider}`} translate="no">
            {provider}
          </Title>
          <StatusBadge tone={stateTones[state]} text={t(`admin.reconciliation.state.${state}`)} />
        </Group>
        {why && <NotCompared why={why} />}
        <Totals compared={compared} />
        {differences.length > 0 && (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {differences.map((difference) => (
              <li
                key={`${difference.kind} ${difference.provider_payment_id} ${difference.provider_refund_id} ${difference.payment_id}`}
              >
                <DifferenceText difference={difference} />
              </li>
            ))}
          </Stack>
        )}
        {left > 0 && <Text size="sm">{t('admin.reconciliation.more', { count: left })}</Text>}
        <Text size="xs" c="dimmed">
          {t(`admin.reconciliation.asked.${asked}`)} {!is_over && t('admin.reconciliation.running')}
        </Text>
        <MadeBy compared={compared} />
      </Stack>
    </Surface>
  )
}

const MadeBy = ({ compared: { origin, made_by: name, made_at } }: { compared: ReconciledProvider }) => {
  const { t } = useTranslation()
  return (
    <Text size="xs" c="dimmed">
      {t(`admin.reconciliation.madeBy.${origin}`, { name: name ?? '' })}, <Moment at={made_at} />
    </Text>
  )
}

/** What was paid in each currency, at the provider and in the books. */
function Totals({ compared: { totals, state } }: { compared: ReconciledProvider }) {
  const { t } = useTranslation()
  if (state === 'not_compared' && totals.length === 0) return null
  if (totals.length === 0) return <Text size="sm">{t('admin.reconciliation.nothingPaid')}</Text>
  return totals.map(({ currency, there, here }) => (
    <SimpleGrid key={currency} cols={2} spacing="xs">
      <Side label={t('admin.reconciliation.there')} sum={there} currency={currency} />
      <Side label={t('admin.reconciliation.here')} sum={here} currency={currency} />
    </SimpleGrid>
  ))
}

function Side({
  label,
  sum,
  currency,
}: {
  label: string
  sum: { count: number; amount: number } | null
  currency: string
}) {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {sum ? (
        <>
          <Text component="div" fw={700}>
            <Money amount={sum.amount} currency={currency} />
          </Text>
          <Text size="xs" c="dimmed">
            {t('admin.reconciliation.paymentsCount', { count: sum.count })}
          </Text>
        </>
      ) : (
        <Text>{t('admin.reconciliation.untold')}</Text>
      )}
    </div>
  )
}

/** A provider may have taken a currency that the store knows no sign of. */
function Money({ amount, currency }: { amount: number; currency: string }) {
  const known = readChargeCurrency(currency)
  return known ? <Amount value={amount} currency={known} /> : `${amount} ${currency}`
}

function DifferenceText({ difference }: { difference: PaymentDifference }) {
  const { t } = useTranslation()
  const { kind, order_id, provider_payment_id, provider_refund_id, there, here } = difference
  const shown = (money: PaymentDifference['there']) =>
    money ? <Money amount={money.amount} currency={money.currency} /> : t('admin.reconciliation.nothing')
  return (
    <>
      <Text fw={600} size="sm" c="var(--olmos-bad)">
        {t(`admin.reconciliation.difference.${kind}`)}
      </Text>
      <Text size="sm">
        {t('admin.reconciliation.there')}: {shown(there)} · {t('admin.reconciliation.here')}: {shown(here)}
      </Text>
      <Group gap="sm">
        {order_id && (
          <Anchor component={Link} size="sm" to={`${paths.admin('orders')}?order=${order_id}`}>
            {t('admin.reconciliation.order', { order: order_id })}
          </Anchor>
        )}
        {order_id && (
          <Anchor component={Link} size="sm" to={`${paths.admin('payments')}?search=${order_id}`}>
            {t('admin.reconciliation.payment')}
          </Anchor>
        )}
      </Group>
      <Text size="xs" c="dimmed" ff="monospace" translate="no" style={{ overflowWrap: 'anywhere' }}>
        {provider_payment_id}
        {provider_refund_id && ` · ${t('admin.reconciliation.refund')} ${provider_refund_id}`}
      </Text>
    </>
  )
}
