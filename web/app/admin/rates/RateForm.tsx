import { Button, Group, Stack } from '@mantine/core'
import type { CurrencyRate } from '@olmos/contract/rates'
import { useTranslation } from 'react-i18next'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { Conflict } from '../form/Conflict.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { changeRate } from './rates.queries.ts'

export function RateForm({ rate }: { rate: CurrencyRate }) {
  const { t } = useTranslation()
  const saving = useAdminForm<{ rate: number | string }, CurrencyRate>({
    noun: 'rates',
    row: rate,
    toValues: (row) => ({ rate: row?.rate ?? '' }),
    validate: (values): Record<string, string> => (Number(values.rate) > 0 ? {} : { rate: 'invalid_amount' }),
    send: (values, _version, seen = rate, isConfirmed) =>
      changeRate(seen, { rate: Number(values.rate), ...(isConfirmed && { confirmJump: true }) }),
  })
  const { form, isBusy, foreignChanges, refusal } = saving
  const label = t('admin.rates.rate', { from: rate.from_currency, to: rate.to_currency })
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <DecimalInput
            label={label}
            decimalScale={8}
            min={0}
            maw={200}
            {...form.getInputProps('rate')}
            error={form.errors.rate ?? refusal}
          />
          <Button
            type="submit"
            variant="default"
            flex="0 0 auto"
            loading={isBusy}
            disabled={Number(form.values.rate) === rate.rate || foreignChanges.length > 0}
          >
            {t('admin.form.save')}
          </Button>
        </Group>
        <Conflict form={saving} labels={{ rate: label }} />
      </Stack>
    </form>
  )
}
