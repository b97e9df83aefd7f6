import { Checkbox, Input, MultiSelect, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import type { RefundDestination, SeenLine } from '@olmos/contract/payments'
import { useState } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { toCurrent } from '../list/use-admin-change.ts'
import { type OrderDetail, type OrderDetailItem, refundItems } from './orders.queries.ts'
import {
  isPossible,
  isRefundable,
  type LineChoice,
  refundShares,
  seenLines,
  shownLines,
  toSum,
  wantedLine,
  wholeLine,
  withLeft,
} from './refund-lines.rules.ts'

/** What the store says when a colleague was quicker. */
interface OrderLeft {
  items: readonly SeenLine[]
}

/**
 * Refunds chosen lines, all that is left of each or a part of it, to the balance or to the card they were
 * paid with.
 */
export function RefundDialog({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [seen, setSeen] = useState<readonly OrderDetailItem[]>(order.items)
  const [choices, setChoices] = useState<Readonly<Record<number, LineChoice | undefined>>>(
    Object.fromEntries(order.items.map((item) => [item.id, wholeLine])),
  )
  const shown = shownLines(order.items, seen, choices)
  const items = shown.filter(isRefundable)
  const [to, setTo] = useState<RefundDestination>('wallet')
  const choose = (id: number, choice: LineChoice | undefined) => {
    setSeen(shown)
    setChoices({ ...choices, [id]: choice })
  }
  const chosen = items.flatMap((item) => {
    const choice = choices[item.id]
    return choice ? [{ item, choice }] : []
  })
  const total = chosen.reduce((sum, { item, choice }) => sum + toSum(item, choice), 0)
  const areAllPossible = chosen.every(({ item, choice }) => isPossible(item, choice))
  return (
    <ReasonDialog
      title={t('admin.orders.refundTitle')}
      text={t('admin.orders.refundText')}
      confirmLabel={t('admin.orders.refund')}
      color="red"
      isIncomplete={chosen.length === 0 || !areAllPossible}
      noun="orders"
      send={async (reason) => {
        const wanted = chosen.map(({ item, choice }) => wantedLine(item, choice))
        try {
          return await refundItems(order.id, { items: wanted, seen: seenLines(chosen), to, reason })
        } catch (error) {
          const current = toCurrent<OrderLeft>(error)
          if (current) setSeen(withLeft(shown, current.items))
          throw error
        }
      }}
      done={t('admin.orders.refunded')}
      onClose={onClose}
    >
      <Input.Wrapper label={t('admin.orders.refundWhat')} labelElement="div">
        <Stack gap="sm" mt="xs">
          {items.map((item) => (
            <RefundLine
              key={item.id}
              item={item}
              currency={order.currency}
              choice={choices[item.id]}
              onToggle={() => choose(item.id, choices[item.id] ? undefined : wholeLine)}
              onChange={(choice) => choose(item.id, choice)}
            />
          ))}
        </Stack>
      </Input.Wrapper>
      {order.payment_method === 'card' && (
        <SegmentedControl
          aria-label={t('admin.orders.refundTo')}
          fullWidth
          value={to}
          onChange={setTo}
          data={[
            { value: 'wallet', label: t('admin.orders.toWallet') },
            { value: 'card', label: t('admin.orders.toCard'), disabled: order.card_refunds === 'in_cabinet' },
          ]}
        />
      )}
      {to === 'card' && order.from_balance > 0 && (
        <Text size="sm" c="dimmed">
          {t('admin.orders.refundBothWays', { amount: formatAmount(order.from_balance, order.currency, language) })}
        </Text>
      )}
      {order.card_refunds === 'in_cabinet' && (
        <Text size="sm" c="dimmed">
          {t('admin.refused.made_in_cabinet')}
        </Text>
      )}
      <Text fw={700}>
        {t('admin.orders.refundTotal')} <Amount value={total} currency={order.currency} />
      </Text>
    </ReasonDialog>
  )
}

interface RefundLineProps {
  item: OrderDetailItem
  currency: OrderDetail['currency']
  /** None: nothing of the line goes back. */
  choice: LineChoice | undefined
  onToggle(): void
  onChange(choice: LineChoice): void
}

/** Asks what to refund of one line of an order: all that is left, some units, or a sum. */
function RefundLine({ item, currency, choice, onToggle, onChange }: RefundLineProps) {
  const { t } = useTranslation()
  const left = formatAmount(item.left_amount, currency, useLanguage())
  const codes = item.codes.filter((code) => code.status === 'used' && code.returned_at === null)
  return (
    <Stack gap="xs">
      <Checkbox
        checked={choice !== undefined}
        onChange={onToggle}
        label={
          <>
            {item.product.title}, <OfferName item={item} />: <Amount value={item.amount} currency={currency} />
          </>
        }
        description={
          item.left_amount < item.amount &&
          t('admin.orders.refundLeft', { amount: left, quantity: item.left_quantity, total: item.quantity })
        }
      />
      {choice && item.left_amount > 0 && (
        <SegmentedControl
          aria-label={t('admin.orders.refundShare', { title: item.product.title })}
          fullWidth
          size="xs"
          value={choice.share}
          onChange={(share) => onChange({ ...choice, share })}
          data={refundShares.map((share) => ({ value: share, label: t(`admin.orders.refundBy.${share}`) }))}
        />
      )}
      {choice?.share === 'quantity' && (
        <NumberInput
          label={t('admin.orders.refundQuantity', { left: item.left_quantity })}
          required
          min={1}
          max={item.left_quantity}
          allowDecimal={false}
          value={choice.quantity}
          onChange={(quantity) => onChange({ ...choice, quantity })}
        />
      )}
      {choice?.share === 'quantity' && codes.length > 1 && (
        <MultiSelect
          label={t('admin.orders.refundCodes')}
          description={t('admin.orders.refundCodesHint')}
          searchable
          clearable
          maxValues={Math.max(1, Number(choice.quantity) || 1)}
          value={[...choice.codeIds]}
          onChange={(codeIds) => onChange({ ...choice, codeIds })}
          data={codes.map((code) => ({
            value: String(code.id),
            label: `${code.code} · ${t('admin.codes.number', { id: code.id })}`,
          }))}
        />
      )}
      {choice?.share === 'amount' && (
        <MoneyInput
          label={t('admin.orders.refundAmount', { left })}
          description={t('admin.orders.refundAmountHint')}
          required
          min={0.01}
          max={item.left_amount}
          value={choice.amount}
          onChange={(amount) => onChange({ ...choice, amount })}
        />
      )}
    </Stack>
  )
}
