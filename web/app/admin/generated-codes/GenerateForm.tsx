import { NativeSelect, NumberInput, Progress, Stack, Switch, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { useTranslation } from '../../i18n/use-translation.ts'
import { BoughtFields } from '../batches/BoughtFields.tsx'
import { type BoughtValues, nothingBought, sentBought } from '../batches/bought-values.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { generateCodes, useGenerationChoices } from './generated-codes.queries.ts'

interface Values extends Record<string, unknown> {
  productId: string
  denominationId: string
  count: number | string
  prefix: string
  published: boolean
  bought: BoughtValues
}

interface Made {
  batch_id: number
  version?: number
}

interface GenerateFormProps {
  onClose(): void
  /** Told the batch that was made. */
  onMade(batch: number): void
}

const blank: Values = {
  productId: '',
  denominationId: '',
  count: 100,
  prefix: '',
  published: false,
  bought: nothingBought,
}

export function GenerateForm({ onClose, onMade }: GenerateFormProps) {
  const { t } = useTranslation()
  const choices = useGenerationChoices()
  const { form, ...saving } = useAdminForm<Values, Made>({
    noun: 'generatedCodes',
    row: undefined,
    toValues: () => blank,
    validate: (values) => missingFields(values, ['productId', 'denominationId', 'count']),
    send: ({ productId, denominationId, count, prefix, published, bought: values }) => {
      const bought = sentBought(values)
      return generateCodes({
        productId: Number(productId),
        denominationId: Number(denominationId),
        count: Number(count),
        prefix: prefix.trim() || null,
        published,
        ...(bought && { bought }),
      })
    },
    onSaved: ({ batch_id }) => onMade(batch_id),
  })
  const labels = {
    productId: t('admin.codes.product'),
    denominationId: t('admin.generated.denomination'),
    count: t('admin.generated.count'),
    prefix: t('admin.generated.prefix'),
    published: t('admin.generated.publishAtOnce'),
  }
  const product = choices.data?.products.find(({ id }) => String(id) === form.values.productId)
  const unchosen = { value: '', label: t('admin.generated.choose') }
  return (
    <FormDrawer
      title={t('admin.generated.title')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      submitLabel={t('admin.generated.generate')}
    >
      {choices.error && <ListFailed query={choices} />}
      <NativeSelect
        label={labels.productId}
        description={choices.data?.products.length === 0 ? t('admin.generated.noProducts') : undefined}
        required
        data={[unchosen, ...toIdOptions(choices.data?.products)]}
        {...form.getInputProps('productId')}
      />
      <NativeSelect
        label={labels.denominationId}
        description={
          choices.data?.denominations.length === 0
            ? t('admin.generated.noDenominations')
            : t('admin.generated.denominationHint')
        }
        required
        data={[unchosen, ...toIdOptions(choices.data?.denominations)]}
        {...form.getInputProps('denominationId')}
      />
      <NumberInput
        label={labels.count}
        description={t('admin.generated.countHint')}
        required
        min={1}
        max={LIMITS.generatedCodesMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps('count')}
      />
      <TextInput
        label={labels.prefix}
        description={t('admin.generated.prefixHint')}
        placeholder={product?.codePrefix ?? ''}
        maxLength={LIMITS.codePrefixMax}
        {...form.getInputProps('prefix')}
      />
      <Switch
        label={labels.published}
        description={t('admin.generated.publishHint')}
        {...form.getInputProps('published', { type: 'checkbox' })}
      />
      <BoughtFields
        inputs={(field) => form.getInputProps(`bought.${field}`)}
        costHint={t('admin.batches.generatedHint')}
      />
      {saving.isBusy && (
        <Stack gap={4} role="status">
          <Progress value={100} animated aria-hidden />
          <Text size="sm">{t('admin.generated.making')}</Text>
        </Stack>
      )}
    </FormDrawer>
  )
}
