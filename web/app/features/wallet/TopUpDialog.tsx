import { Badge, Button, Group, Radio, SegmentedControl, Stack } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import { toMajor } from '@olmos/contract/minor-units'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text.ts'
import { toFieldErrors } from '../../api/field-texts.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { readCurrency, shownCurrencies, useCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { CardFields } from './CardFields.tsx'
import { useTopUpBalance } from './wallet.queries.ts'

const least = toMajor(BUSINESS.balanceTopupMin)

/** Lets admins top up their own balance. */
export function TopUpDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('topUp.title')} closeLabel={t('topUp.close')}>
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

  const refuse = (error: Error) => {
    if ('amount' in toFieldErrors(error)) setProblem(t('topUp.invalidAmount'))
    else toastError(failureText(t, error))
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = typed === '' ? Number.NaN : Number(typed)
    if (!Number.isFinite(amount)) return setProblem(t('topUp.invalidAmount'))
    if (amount < least) return setProblem(t('topUp.tooLittle', { amount: formatAmount(least, currency, language) }))
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
          data={[...shownCurrencies]}
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
            <Radio value="card" label={t('topUp.card')} />
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
