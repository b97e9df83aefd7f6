import { Checkbox, MultiSelect, NumberInput, SegmentedControl, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../i18n/use-language.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import type { OrderDetail, OrderDetailItem } from './orders.queries.ts'
import { type LineChoice, refundShares } from './refund-lines.rules.ts'

interface RefundLineProps {
  item: OrderDetailItem
  currency: OrderDetail['currency']
  /** None: nothing of the line goes back. */
  choice: LineChoice | undefined
  onToggle(): void
  onChange(choice: LineChoice): void
}

/** Asks what to refund of one line of an order: all that is left, some units, or a sum. */
export function RefundLine({ item, currency, choice, onToggle, onChange }: RefundLineProps) {
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
            {item.product.title}, <OfferName item={item} />
            {item.quantity > 1 && ` × ${item.quantity}`}: <Amount value={item.amount} currency={currency} />
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
            label: `${code.code} · ${t('admin.orders.codeNumber', { id: code.id })}`,
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
