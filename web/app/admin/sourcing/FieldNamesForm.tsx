import { Code, Text, TextInput } from '@mantine/core'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { saveFieldNames } from './sourcing.queries.ts'

interface FieldNamesFormProps {
  supplier: string
  service: SupplierService
  onClose(): void
}

interface Values extends Record<string, unknown> {
  fieldNames: Record<string, string>
}

/** A field is named in a path of the form by its place: its own name may have dots. */
const toValues = (service: SupplierService): Values => ({
  fieldNames: Object.fromEntries(
    service.fields.map(({ key }, index) => [String(index), service.field_names[key] ?? `{${key}}`]),
  ),
})

/** What a supplier's fields are filled with: `{user_id}|{zone_id}` joins two fields of the shop. */
export function FieldNamesForm({ supplier, service, onClose }: FieldNamesFormProps) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<Values, SupplierService>({
    noun: 'sourcing',
    row: service,
    toValues: (row = service) => toValues(row),
    send: (values) =>
      saveFieldNames(
        supplier,
        service,
        Object.fromEntries(service.fields.map(({ key }, index) => [key, values.fieldNames[index] ?? ''])),
      ),
    onSaved: onClose,
  })
  const labels = Object.fromEntries(service.fields.map(({ label }, index) => [`fieldNames.${index}`, label]))
  return (
    <FormDrawer
      permission="suppliers.write"
      title={t('admin.sourcing.fieldNamesOf', { name: service.title })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <Text size="sm" c="dimmed">
        {t('admin.sourcing.fieldNamesHint')} <Code>{'{user_id}|{zone_id}'}</Code>
      </Text>
      {service.fields.map(({ key, label }, index) => (
        <TextInput
          key={key}
          label={label}
          description={key}
          required
          spellCheck={false}
          maxLength={200}
          {...form.getInputProps(`fieldNames.${index}`)}
        />
      ))}
    </FormDrawer>
  )
}
