import { NativeSelect, TextInput } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import type { PubgCode } from '@olmos/contract/pubg-codes'
import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { changePubgCode } from './pubg-codes.queries.ts'

interface Values extends Record<string, unknown> {
  code: string
  /** The masked code the operator saw; a different one means that somebody replaced it. */
  mask: string
  denomination_id: string
  status: string
}

const statuses = ['available', 'error', 'archived'] as const

interface PubgCodeFormProps {
  code: PubgCode
  denominations: readonly PubgDenomination[]
  onClose(): void
}

/** The code itself is not shown: it stays as it is unless another one is typed. */
export function PubgCodeForm({ code, denominations, onClose }: PubgCodeFormProps) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<Values, PubgCode>({
    noun: 'pubgCodes',
    row: code,
    toValues: (row) => ({
      code: '',
      mask: row?.code ?? '',
      denomination_id: String(row?.denomination_id ?? ''),
      status: row?.status ?? 'available',
    }),
    send: (values, _version, seen = code) =>
      changePubgCode(seen, {
        denomination_id: Number(values.denomination_id),
        status: statuses.find((status) => status === values.status),
        ...(values.code.trim() && { code: values.code }),
      }),
    onSaved: onClose,
  })
  const labels = {
    code: t('admin.pool.otherCode'),
    mask: t('admin.codes.code'),
    denomination_id: t('admin.generated.denomination'),
    status: t('admin.generated.status'),
  }
  const places = denominations.map((row) => ({ value: String(row.id), label: `${row.uc_amount} UC` }))
  const states = statuses.map((status) => ({ value: status, label: t(`admin.orders.codeStatus.${status}`) }))
  const named = (choices: typeof places) => Object.fromEntries(choices.map(({ value, label }) => [value, label]))
  return (
    <FormDrawer
      title={t('admin.pool.edit', { code: code.code })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      choices={{ denomination_id: named(places), status: named(states) }}
    >
      <NativeSelect label={labels.denomination_id} data={places} {...form.getInputProps('denomination_id')} />
      <NativeSelect label={labels.status} data={states} {...form.getInputProps('status')} />
      <TextInput
        label={labels.code}
        description={t('admin.pool.otherCodeHint')}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </FormDrawer>
  )
}
