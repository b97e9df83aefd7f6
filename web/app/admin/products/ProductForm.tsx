import {
  ColorInput,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { isImageAddress } from '../form/image-address.ts'
import { PictureUpload } from '../form/PictureUpload.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { UnitHint } from '../shop/UnitList.tsx'
import { KindFields, type ProductFieldsProps } from './KindFields.tsx'
import { ProductTexts } from './ProductTexts.tsx'
import { useProductNames } from './product-names.ts'
import { productErrors, productValues } from './product-values.ts'
import { fieldsView, productPath, saveProduct } from './products.queries.ts'

export function ProductForm({ product, onClose }: { product: EditedProduct | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // How far a save got that was refused halfway.
  const reached = useRef(product)
  const saving = useAdminForm({
    noun: 'products',
    row: product,
    toValues: productValues,
    validate: productErrors,
    send: (values, seen) => {
      const before = reached.current
      const version = before && seen !== undefined ? Math.max(before.version, seen) : before?.version
      return saveProduct(before, values, version, (saved) => {
        reached.current = saved
      })
    },
    onSaved: (saved) => {
      onClose()
      // A new top-up asks for nothing yet, so nobody could buy it.
      if (!product && saved.kind === 'topup') navigate(productPath(saved.id, fieldsView))
    },
  })
  const { form } = saving
  const names = useProductNames()
  const { labels, choices } = names
  const isTopup = form.values.kind === 'topup'

  return (
    <FormDrawer
      title={product ? t('admin.products.edit', { name: product.name }) : t('admin.products.add')}
      onClose={onClose}
      form={saving}
      {...names}
    >
      <ProductTexts form={form} />
      {!product && (
        <NativeSelect
          label={labels.kind}
          data={choices.kind}
          {...form.getInputProps('kind')}
          onChange={(event) => {
            const kind = event.currentTarget.value === 'topup' ? 'topup' : 'code'
            // A top-up is tried before it is sold.
            form.setValues({ kind, isActive: kind === 'code' })
          }}
        />
      )}
      <Fieldset legend={t('admin.products.groups.look')}>
        <Stack gap="sm">
          <TextInput
            label={labels.slug}
            description={product && isTopup ? t('admin.products.slugBuiltIn') : t('admin.products.slugHint')}
            disabled={product !== undefined && isTopup}
            {...form.getInputProps('slug')}
          />
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              flex={1}
              label={labels.imageUrl}
              description={t('admin.products.imageHint')}
              {...form.getInputProps('imageUrl')}
            />
            <Thumbnail src={isImageAddress(form.values.imageUrl) ? form.values.imageUrl : ''} width={56} />
          </Group>
          <PictureUpload
            use="product"
            noun="products"
            label={t('admin.products.uploadImage')}
            onUploaded={(address) => form.setFieldValue('imageUrl', address)}
          />
          <ColorInput
            label={labels.color}
            description={t('admin.products.colorHint')}
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': t('admin.promotions.pickColor') }}
            {...form.getInputProps('color')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('admin.products.groups.search')}>
        <Stack gap="sm">
          <Textarea
            autosize
            maxRows={4}
            label={labels.keywords}
            description={t('admin.products.commaHint')}
            {...form.getInputProps('keywords')}
          />
          <TextInput
            label={labels.category}
            description={t('admin.products.commaHint')}
            {...form.getInputProps('category')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('admin.products.groups.sale')}>
        <Stack gap="sm">
          <TextInput
            label={labels.gameCurrency}
            description={<UnitHint currency={form.values.gameCurrency} />}
            maxLength={40}
            {...form.getInputProps('gameCurrency')}
          />
          <KindFields form={form} names={names} />
        </Stack>
      </Fieldset>
      <ReceiptFields form={form} names={names} />
      <Switch
        label={labels.isActive}
        description={!product && isTopup ? t('admin.products.tryFirst') : undefined}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </FormDrawer>
  )
}

/** What the product's line of a fiscal receipt says, where that is not what the shop's settings say. */
function ReceiptFields({ form, names: { labels, choices } }: ProductFieldsProps) {
  const { t } = useTranslation()
  const shops = { value: '', label: t('admin.fiscal.shops') }
  return (
    <Fieldset legend={t('admin.tabs.fiscalReceipts')}>
      <Stack gap="sm">
        {(['receiptTax', 'receiptSubject', 'receiptMode'] as const).map((field) => (
          <NativeSelect
            key={field}
            label={labels[field]}
            data={[shops, ...choices[field]]}
            {...form.getInputProps(field)}
          />
        ))}
        <TextInput
          inputMode="numeric"
          maxLength={17}
          label={labels.receiptIkpu}
          description={t('admin.fiscal.productIkpu')}
          {...form.getInputProps('receiptIkpu')}
        />
        <TextInput
          inputMode="numeric"
          maxLength={20}
          label={labels.receiptPackageCode}
          {...form.getInputProps('receiptPackageCode')}
        />
        <NumberInput
          label={labels.receiptVatPercent}
          min={0}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...form.getInputProps('receiptVatPercent')}
        />
      </Stack>
    </Fieldset>
  )
}
