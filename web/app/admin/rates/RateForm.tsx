import { Button, Group, NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CurrencyRate } from '@olmos/contract/rates'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { fieldTexts } from '../../api/field-texts.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { changeRate, noun } from './rates.queries.ts'

export function RateForm({ rate }: { rate: CurrencyRate }) {
  const { t } = useTranslation()
  const save = useAdminAction({
    noun,
    send: (value: number) => changeRate(rate, { rate: value }),
    done: t('admin.form.saved'),
  })
  const form = useForm<{ rate: number | string }>({
    initialValues: { rate: rate.rate },
    validate: { rate: (value) => (Number(value) > 0 ? null : t('field.invalid_amount')) },
  })
  const submit = form.onSubmit((values) =>
    save.mutate(Number(values.rate), {
      onError: (error) => {
        const errors = fieldTexts(t, fieldErrorsOf(error))
        form.setErrors(errors.rate ? errors : { rate: failureText(t, error) })
      },
    }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <NumberInput
          label={t('admin.rates.rate', { from: rate.from_currency, to: rate.to_currency })}
          decimalScale={8}
          min={0}
          hideControls
          inputMode="decimal"
          maw={200}
          {...form.getInputProps('rate')}
        />
        <Button
          type="submit"
          variant="default"
          flex="0 0 auto"
          loading={save.isPending}
          disabled={Number(form.values.rate) === rate.rate}
        >
          {t('admin.form.save')}
        </Button>
      </Group>
    </form>
  )
}
