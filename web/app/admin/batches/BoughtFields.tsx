import { Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import * as LIMITS from '@olmos/contract/limits'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { useCostCurrencies } from './batches.queries.ts'
import type { BoughtValues } from './bought-values.ts'

/** The labels of the fields by their names. */
export function useBoughtLabels(): Record<keyof BoughtValues & string, string> {
  const { t } = useTranslation()
  return {
    cost: t('admin.batches.cost'),
    currency: t('admin.batches.currency'),
    supplier: t('admin.batches.supplier'),
    invoice: t('admin.batches.invoice'),
    expires_on: t('admin.batches.expires'),
  }
}

interface BoughtFieldsProps {
  /** What the form gives the field of this name. */
  inputs(field: 'cost' | 'currency' | 'supplier' | 'invoice' | 'expires_on'): GetInputPropsReturnType
  /** Why the supplier can't be changed. */
  supplierIs?: string | undefined
  /** What a blank cost means here. */
  costHint?: string | undefined
}

/** Asks what codes cost, who sold them and until when they can be sold; all of it may stay unknown. */
export function BoughtFields({ inputs, supplierIs, costHint }: BoughtFieldsProps) {
  const { t } = useTranslation()
  const labels = useBoughtLabels()
  const currencies = useCostCurrencies()
  return (
    <>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <DecimalInput
          flex={1}
          label={labels.cost}
          description={costHint ?? t('admin.batches.costHint')}
          decimalScale={8}
          {...inputs('cost')}
        />
        <NativeSelect w={110} label={labels.currency} data={currencies} {...inputs('currency')} />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label={labels.supplier}
          {...(supplierIs && { description: supplierIs, disabled: true })}
          maxLength={LIMITS.sellerMax}
          {...inputs('supplier')}
        />
        <TextInput label={labels.invoice} maxLength={LIMITS.invoiceMax} {...inputs('invoice')} />
      </SimpleGrid>
      <TextInput
        type="date"
        label={labels.expires_on}
        description={t('admin.batches.expiresHint')}
        {...inputs('expires_on')}
      />
    </>
  )
}
