import { Badge, Button, Group, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { toMajor } from '@olmos/contract/minor-units'
import { type FormEvent, useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { toFieldErrors } from '../../api/field-texts.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { readCurrency, useCurrency, walletCurrencies } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toastError, toastSuccess, toastWarning } from '../../ui/toast.ts'
import { asCardNumber, asExpiry, cardTypes, onlyDigits, readCardType } from './card-input.ts'
import { useTopUpBalance } from './wallet.queries.ts'

const least = toMajor(BUSINESS.balanceTopupMin)

/** Lets admins top up their own balance. */
export function TopUpDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('topUp.title')} closeLabel={t('topups.close')}>
      <TopUpForm onDone={onClose} />
    </Dialog>
  )
}

function TopUpForm({ onDone }: { onDone(): void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const topUp = useTopUpBalance()
  const [currency, setCurrency] = useState(useCurrency())
  const [typed, setTyped] = useState<number | string>('')
  const [problem, setProblem] = useState<string>()

  /** At the field, and as a notice, as the specification has it. */
  const refuseAmount = (text: string) => {
    setProblem(text)
    toastError(text)
  }
  const refuse = (error: Error) => {
    if ('amount' in toFieldErrors(error)) refuseAmount(t('topUp.invalidAmount'))
    else if (isConflict(error, 'above_limit')) {
      // It is kept for a colleague; another press would be another request.
      toastWarning(t('topUp.waits'))
      onDone()
    } else toastError(failureText(t, error))
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = typed === '' ? Number.NaN : Number(typed)
    if (!Number.isFinite(amount)) return refuseAmount(t('topUp.invalidAmount'))
    if (amount < least) return refuseAmount(t('topUp.tooLittle', { amount: formatAmount(least, currency, language) }))
    setProblem(undefined)
    topUp.mutate(
      { currency, amount },
      {
        onSuccess: () => {
          toastSuccess(t('topUp.done'))
          onDone()
        },
        onError: refuse,
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SegmentedControl
          aria-label={t('topUp.currency')}
          data={[...walletCurrencies]}
          value={currency}
          onChange={(chosen) => setCurrency(readCurrency(chosen))}
        />
        <MoneyInput
          label={t('topUp.amount')}
          description={t('topUp.least', { amount: formatAmount(least, currency, language) })}
          value={typed}
          onChange={(amount) => {
            setTyped(amount)
            setProblem(undefined)
          }}
          error={problem}
          data-autofocus
        />
        <Radio.Group label={t('topUp.method')} value="card">
          <Group mt={6}>
            <Radio value="card" label={t('receipt.methods.card')} />
            <Radio
              value="sbp"
              disabled
              label={
                <Group gap={6} component="span">
                  {t('checkout.sbp')}
                  <Badge component="span" variant="light" color="gray">
                    {t('checkout.comingSoon')}
                  </Badge>
                </Group>
              }
            />
          </Group>
        </Radio.Group>
        <CardFields />
        <Button type="submit" size="md" loading={topUp.isPending}>
          {t('topUp.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** The fields of a card. Nothing typed here is sent or stored. */
function CardFields() {
  const { t } = useTranslation()
  const [number, setNumber] = useState('')
  const [expiry, setExpiry] = useState('')
  const [cvv, setCvv] = useState('')
  const [type, setType] = useState<string>(cardTypes[0])

  return (
    <Stack gap="sm">
      <Radio.Group label={t('topUp.cardType')} value={type} onChange={setType}>
        <Group mt={6}>
          {cardTypes.map((one) => (
            <Radio key={one} value={one} label={one} />
          ))}
        </Group>
      </Radio.Group>
      <TextInput
        label={t('topUp.cardNumber')}
        inputMode="numeric"
        autoComplete="off"
        placeholder="0000 0000 0000 0000"
        value={number}
        onChange={(event) => {
          const typed = asCardNumber(event.currentTarget.value)
          setNumber(typed)
          // The type stands in the number; it is chosen by hand only where it does not.
          setType((chosen) => readCardType(typed) ?? chosen)
        }}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('topUp.expiry')}
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('topUp.expiryHint')}
          value={expiry}
          onChange={(event) => setExpiry(asExpiry(event.currentTarget.value))}
        />
        <TextInput
          label="CVV"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          value={cvv}
          onChange={(event) => setCvv(onlyDigits(event.currentTarget.value).slice(0, 3))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t('topUp.cardNote')}
      </Text>
    </Stack>
  )
}
