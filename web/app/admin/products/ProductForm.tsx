import { Group, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import type { CodeGame, EditedProduct } from '@olmos/contract/products'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../i18n/languages.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { isImageAddress } from '../form/image-address.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { useAllRegions } from '../regions/regions.queries.ts'
import { ProductRegions } from './ProductRegions.tsx'
import { ProductTexts } from './ProductTexts.tsx'
import { productErrors, productValues } from './product-values.ts'
import { saveProduct } from './products.queries.ts'

export function ProductForm({ product, onClose }: { product: EditedProduct | undefined; onClose(): void }) {
  const { t } = useTranslation()
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
    onSaved: onClose,
  })
  const { form } = saving
  const names = useNames()
  const { labels } = names
  const isBuiltIn = product?.kind === 'topup'

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
          data={[
            { value: 'code', label: t('admin.products.kindCode') },
            { value: 'topup', label: t('admin.products.kindTopup') },
          ]}
          {...form.getInputProps('kind')}
        />
      )}
      <TextInput
        label={labels.slug}
        description={isBuiltIn ? t('admin.products.slugBuiltIn') : t('admin.products.slugHint')}
        disabled={isBuiltIn}
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
      <TextInput label={labels.gameCurrency} maxLength={40} {...form.getInputProps('gameCurrency')} />
      <ProductRegions form={form} />
      <Switch
        label={labels.supportsCodeGeneration}
        {...form.getInputProps('supportsCodeGeneration', { type: 'checkbox' })}
      />
      {form.values.supportsCodeGeneration && (
        <NativeSelect
          label={labels.codeGame}
          description={t('admin.products.codeGameHint')}
          required
          data={[
            { value: '', label: t('admin.products.chooseGame'), disabled: true },
            ...Object.entries(gameNames).map(([value, label]) => ({ value, label })),
          ]}
          {...form.getInputProps('codeGame')}
        />
      )}
      {form.values.supportsCodeGeneration && (
        <TextInput
          label={labels.codePrefix}
          description={t('admin.products.codePrefixHint')}
          maxLength={20}
          {...form.getInputProps('codePrefix')}
        />
      )}
      {form.values.kind === 'code' && (
        <Switch
          label={labels.buysOnDemand}
          description={t('admin.products.onDemandHint')}
          {...form.getInputProps('buysOnDemand', { type: 'checkbox' })}
        />
      )}
      <Switch label={labels.isActive} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormDrawer>
  )
}

/** Games keep their own name in every language. */
const gameNames = { freefire: 'Free Fire' } as const satisfies Record<CodeGame, string>

/** What fields and choices are called. */
function useNames() {
  const { t } = useTranslation()
  const { data: regions = [] } = useAllRegions()
  const texts = {
    name: t('admin.products.name'),
    description: t('admin.products.description'),
    activationInstructions: t('admin.products.instructions'),
  }
  const inLanguage = (language: 'en' | 'uz') =>
    Object.entries(texts).map(([field, label]) => [
      `translations.${language}.${field}`,
      `${label}, ${languageNames[language]}`,
    ])
  const currencyIn = regions.map(({ id, name }) => [
    `currencies.${id}`,
    t('admin.products.currencyIn', { region: name }),
  ])
  const labels = {
    ...texts,
    ...Object.fromEntries([...inLanguage('en'), ...inLanguage('uz'), ...currencyIn]),
    kind: t('admin.products.kind'),
    slug: t('admin.products.slug'),
    imageUrl: t('admin.products.image'),
    keywords: t('admin.products.keywords'),
    category: t('admin.products.category'),
    gameCurrency: t('admin.products.gameCurrency'),
    regionIds: t('admin.products.regions'),
    supportsCodeGeneration: t('admin.products.codeGeneration'),
    codePrefix: t('admin.products.codePrefix'),
    codeGame: t('admin.products.codeGame'),
    buysOnDemand: t('admin.products.onDemand'),
    isActive: t('admin.products.active'),
  }
  const regionIds = Object.fromEntries(regions.map(({ id, name }) => [id, name]))
  return { labels, choices: { regionIds, codeGame: gameNames } }
}
