import { Text } from '@mantine/core'
import type { CodeBatch } from '@olmos/contract/code-batches'
import type { SentBought } from '@olmos/contract/costs'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { BoughtFields, useBoughtLabels } from './BoughtFields.tsx'
import { changeBatch } from './batches.queries.ts'
import { type BoughtValues, nothingBought, toBought } from './bought-values.ts'

const toValues = (batch: CodeBatch | undefined): BoughtValues => ({
  cost: batch?.cost ?? '',
  currency: batch?.currency ?? nothingBought.currency,
  supplier: batch?.supplier ?? '',
  invoice: batch?.invoice ?? '',
  expires_on: batch?.expires_on ?? '',
})

/** Sends what was changed; a cost goes with its currency. */
function sentChange(values: BoughtValues, batch: CodeBatch): SentBought {
  const [now, before] = [toBought(values), toBought(toValues(batch))]
  const isChanged = (field: keyof SentBought) => now[field] !== before[field]
  return {
    ...((isChanged('cost') || isChanged('currency')) && { cost: now.cost, currency: now.currency }),
    ...(isChanged('supplier') && { supplier: now.supplier }),
    ...(isChanged('invoice') && { invoice: now.invoice }),
    ...(isChanged('expires_on') && { expires_on: now.expires_on }),
  }
}

/** Says what the codes of an import cost, and until when they are sold. */
export function BatchForm({ batch, onClose }: { batch: CodeBatch; onClose(): void }) {
  const { t } = useTranslation()
  const saving = useAdminForm<BoughtValues, CodeBatch>({
    noun: 'codes',
    row: batch,
    toValues,
    send: (values, version, seen = batch) => changeBatch(batch.id, version, sentChange(values, seen)),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      permission="stock.write"
      title={t('admin.recall.title', { batch: batch.id })}
      onClose={onClose}
      form={saving}
      labels={useBoughtLabels()}
    >
      <Text size="sm" c="dimmed">
        {t('admin.batches.soldStays')}
      </Text>
      <BoughtFields
        inputs={(field) => saving.form.getInputProps(field)}
        {...(batch.is_bought_singly && { supplierIs: t('admin.batches.singly') })}
      />
    </FormDrawer>
  )
}
