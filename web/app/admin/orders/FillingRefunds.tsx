import { Button, Stack, Text } from '@mantine/core'
import type { RefundedFilling } from '@olmos/contract/fillings'
import { useState } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { toCurrent } from '../list/use-admin-change.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { refundToCard } from './orders.queries.ts'

/** What was paid for a filling of a balance, how much of it went back to the card, and a way to refund what can be. */
export function FillingRefunds({ filling }: { filling: RefundedFilling }) {
  const { t } = useTranslation()
  const [isAsked, setIsAsked] = useState(false)
  const { currency, paid, refunded, refundable, refunds } = filling
  if (paid === 0) return <Text>{t('admin.fillings.unpaid')}</Text>
  return (
    <Surface p="md">
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{t('admin.fillings.item')}</Text>
        <Text size="sm">
          {t('admin.fillings.paid')} <Amount value={paid} currency={currency} />
        </Text>
        <Text size="sm">
          {t('admin.fillings.refunded')} <Amount value={refunded} currency={currency} />
        </Text>
        <Text size="sm">
          {t('admin.fillings.refundable')} <Amount value={refundable} currency={currency} />
        </Text>
        {refunds.map(({ amount, fee, status, is_outside, created_at }, index) => (
          <Text key={index} size="sm" c="dimmed">
            <Amount value={amount} currency={currency} />
            {fee > 0 && (
              <>
                {' '}
                {t('admin.fillings.andFee')} <Amount value={fee} currency={currency} />
              </>
            )}{' '}
            · {t(`admin.fillings.states.${status}`)}
            {is_outside && ` · ${t('admin.fillings.outside')}`} · <Moment at={created_at} />
          </Text>
        ))}
        {refundable > 0 && (
          <Allowed to="orders.refund">
            <Button variant="default" onClick={() => setIsAsked(true)}>
              {t('admin.fillings.refund')}
            </Button>
          </Allowed>
        )}
      </Stack>
      {isAsked && <RefundFilling filling={filling} onClose={() => setIsAsked(false)} />}
    </Surface>
  )
}

function RefundFilling({ filling, onClose }: { filling: RefundedFilling; onClose(): void }) {
  const { t } = useTranslation()
  const { id, currency, refundable } = filling
  // It stays as it was when the dialog opened, until the store refuses and says what is there now.
  const [refunded, setRefunded] = useState(filling.refunded)
  const [amount, setAmount] = useState<number | string>(refundable)
  const wanted = amount === '' ? 0 : Number(amount)
  return (
    <ReasonDialog
      title={t('admin.fillings.refundTitle')}
      text={t('admin.fillings.refundText')}
      confirmLabel={t('admin.fillings.refund')}
      color="red"
      isIncomplete={!(wanted > 0 && wanted <= refundable)}
      noun="orders"
      send={async (reason) => {
        try {
          return await refundToCard(id, { amount: wanted, seen: { refunded }, reason })
        } catch (error) {
          setRefunded(toCurrent<RefundedFilling>(error)?.refunded ?? refunded)
          throw error
        }
      }}
      done={t('admin.orders.refunded')}
      onClose={onClose}
    >
      <Text size="sm">
        {t('admin.fillings.refundable')} <Amount value={refundable} currency={currency} />
      </Text>
      <MoneyInput
        currency={currency}
        label={t('admin.fillings.amount')}
        required
        min={0.01}
        max={refundable}
        value={amount}
        onChange={setAmount}
      />
    </ReasonDialog>
  )
}
