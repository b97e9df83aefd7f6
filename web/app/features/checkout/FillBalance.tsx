import { Alert, Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Currency } from '@olmos/contract/money'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { useConversion } from '../../money/conversion.ts'
import { readCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useFillBalance } from './checkout.queries.ts'
import { toAllowed, toPresets } from './fill.rules.ts'
import type { FillingTerms } from './filling.queries.ts'
import { MethodChoice } from './MethodChoice.tsx'
import { MethodFee } from './MethodFee.tsx'
import { seenFee } from './method.rules.ts'
import { usePaymentMethods } from './methods.queries.ts'
import { emailFieldName, ReceiptEmail, useReceiptEmail } from './ReceiptEmail.tsx'
import { paymentRefusalText, toldFee } from './refusal.ts'
import { TermsNote } from './TermsNote.tsx'

interface FillBalanceProps {
  isOpen: boolean
  terms: FillingTerms
  /** Those that the balance can be filled in. */
  currencies: readonly Currency[]
  /** What is proposed first: what a purchase lacks, for instance. */
  wanted: { currency: Currency; amount: number | undefined }
  onClose(): void
}

/** Asks with how much, in which currency and by which method customers fill their own balance. */
export function FillBalance({ isOpen, onClose, ...form }: FillBalanceProps) {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('fill.title')} closeLabel={t('topups.close')}>
      <FillForm {...form} />
    </Dialog>
  )
}

function FillForm({ terms, currencies, wanted }: Omit<FillBalanceProps, 'isOpen' | 'onClose'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { shown } = useConversion()
  const [currency, setCurrency] = useState(wanted.currency)
  const bounds = terms.bounds[currency]
  const presets = toPresets(bounds)
  const [typed, setTyped] = useState<number | string>(
    wanted.amount === undefined ? (presets[0] ?? bounds.least) : toAllowed(wanted.amount, bounds),
  )
  const [problem, setProblem] = useState<string>()
  const amount = typed === '' ? 0 : Number(typed)
  const isAllowed = amount >= bounds.least && amount <= bounds.most
  const [asked] = useDebouncedValue(isAllowed ? amount : bounds.least, WEB_LIMITS.steamCalculationDelayMs)
  const methods = usePaymentMethods({ currency, amount: asked, shown })
  const isStale = methods.isStale || asked !== amount
  const email = useReceiptEmail(methods.chosen)
  const fill = useFillBalance(amount)
  const isBusy = fill.isPending || fill.isSuccess
  const isPressed = useRef(false)

  const range = t('fill.range', {
    least: formatAmount(bounds.least, currency, language),
    most: formatAmount(bounds.most, currency, language),
  })
  const change = (next: number | string) => {
    setTyped(next)
    setProblem(undefined)
    fill.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isAllowed) return setProblem(range)
    const receiptEmail = email.take()
    if (receiptEmail === null) return document.getElementsByName(emailFieldName)[0]?.focus()
    if (isPressed.current) return
    isPressed.current = true
    // Where the methods could not be read, the store's refusal is what tells the fee.
    const fee = methods.chosen ? seenFee({ ...methods, isStale }) : toldFee(fill.error)
    fill.mutate(
      { currency, method: methods.chosen?.name, fee, email: receiptEmail },
      { onSettled: () => (isPressed.current = false) },
    )
  }
  const charge = isStale ? undefined : methods.chosen?.charge
  const charged =
    charge?.amount == null
      ? formatAmount(amount, currency, language)
      : formatAmount(charge.amount, charge.currency, language)

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SegmentedControl
          aria-label={t('topUp.currency')}
          data={[...currencies]}
          value={currency}
          disabled={isBusy}
          onChange={(chosen) => {
            const next = readCurrency(chosen)
            setCurrency(next)
            change(toPresets(terms.bounds[next])[0] ?? terms.bounds[next].least)
          }}
        />
        <Group gap="xs">
          {presets.map((preset) => (
            <Button
              key={preset}
              size="sm"
              variant={preset === amount ? 'light' : 'default'}
              aria-pressed={preset === amount}
              disabled={isBusy}
              onClick={() => change(preset)}
            >
              {formatAmount(preset, currency, language)}
            </Button>
          ))}
        </Group>
        <MoneyInput
          label={t('topUp.amount')}
          description={range}
          value={typed}
          onChange={change}
          error={problem}
          disabled={isBusy}
          data-autofocus
        />
        <MethodChoice
          {...methods}
          isStale={isStale}
          currency={currency}
          isDisabled={isBusy}
          choose={(name) => {
            methods.choose(name)
            fill.reset()
          }}
        />
        <MethodFee chosen={methods.chosen} isStale={isStale} currency={currency} />
        <ReceiptEmail email={email} />
        {fill.error && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {paymentRefusalText(t, language, fill.error, t('checkout.createPaymentFailed'))}
          </Alert>
        )}
        <TermsNote />
        <Button type="submit" size="md" h="auto" mih={44} py={8} loading={isBusy}>
          {t('fill.submit', { amount: charged })}
        </Button>
      </Stack>
    </form>
  )
}
