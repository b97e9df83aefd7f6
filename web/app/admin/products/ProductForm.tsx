import {
  Checkbox,
  ColorInput,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { CodeGame, EditedProduct } from '@olmos/contract/products'
import type { PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { receiptChoices } from '../fiscal/receipt-choices.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { isImageAddress } from '../form/image-address.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions, toOptions } from '../list/FilterSelect.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { useAllRegions } from '../regions/regions.queries.ts'
import { type ProductValues, productErrors, productValues } from './product-values.ts'
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
  const names = useNames()
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
      <ColorInput
        label={labels.color}
        description={t('admin.products.colorHint')}
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': t('admin.promotions.pickColor') }}
        {...form.getInputProps('color')}
      />
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
      <TextInput
        label={labels.gameCurrency}
        description={t('admin.products.gameCurrencyHint')}
        maxLength={40}
        {...form.getInputProps('gameCurrency')}
      />
      {isTopup ? <TopupFields form={form} names={names} /> : <CodeFields form={form} names={names} />}
      <ReceiptFields form={form} names={names} />
      <Switch
        label={labels.isActive}
        description={!product && isTopup ? t('admin.products.tryFirst') : undefined}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </FormDrawer>
  )
}

interface KindFieldsProps {
  form: UseFormReturnType<ProductValues>
  names: ReturnType<typeof useNames>
}

/** Where codes are sold, and where they come from. */
function CodeFields({ form, names: { labels, choices } }: KindFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <ProductRegions form={form} />
      <Switch
        label={labels.supportsCodeGeneration}
        {...form.getInputProps('supportsCodeGeneration', { type: 'checkbox' })}
      />
      {form.values.supportsCodeGeneration && (
        <>
          <NativeSelect
            label={labels.codeGame}
            description={t('admin.products.codeGameHint')}
            required
            data={[{ value: '', label: t('admin.products.chooseGame'), disabled: true }, ...choices.codeGame]}
            {...form.getInputProps('codeGame')}
          />
          <TextInput
            label={labels.codePrefix}
            description={t('admin.products.codePrefixHint')}
            maxLength={20}
            {...form.getInputProps('codePrefix')}
          />
        </>
      )}
      <Switch
        label={labels.buysOnDemand}
        description={t('admin.products.onDemandHint')}
        {...form.getInputProps('buysOnDemand', { type: 'checkbox' })}
      />
    </>
  )
}

/** How a top-up is priced, checked and promised. */
function TopupFields({ form, names: { labels, choices } }: KindFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect label={labels.pricing} data={choices.pricing} {...form.getInputProps('pricing')} />
      {form.values.pricing === 'combination' && (
        <TextInput
          label={labels.presets}
          description={t('admin.products.presetsHint')}
          inputMode="numeric"
          {...form.getInputProps('presets')}
        />
      )}
      <NativeSelect label={labels.playerCheck} data={choices.playerCheck} {...form.getInputProps('playerCheck')} />
      <NumberInput
        label={labels.promisedMinutes}
        description={t('admin.products.promisedHint')}
        required
        min={1}
        max={10_080}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.getInputProps('promisedMinutes')}
      />
    </>
  )
}

/** What the product's line of a fiscal receipt says, where that is not what the shop's settings say. */
function ReceiptFields({ form, names: { labels, choices } }: KindFieldsProps) {
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

/** Games keep their own name in every language. */
const gameNames: Record<CodeGame, string> = { freefire: 'Free Fire' }
const games = toOptions(gameNames, (game) => gameNames[game])

export const kindNames = { code: 'admin.products.kindCode', topup: 'admin.products.kindTopup' } as const
const pricingNames = {
  offers: 'admin.products.pricingOffers',
  combination: 'admin.products.pricingCombination',
  amount: 'admin.products.pricingAmount',
} as const satisfies Record<TopupPricing, string>
const checkNames = {
  required: 'admin.products.checkRequired',
  offered: 'admin.products.checkOffered',
  none: 'admin.products.checkNone',
} as const satisfies Record<PlayerCheckRule, string>

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
    color: t('admin.products.color'),
    keywords: t('admin.products.keywords'),
    category: t('admin.products.category'),
    gameCurrency: t('admin.products.gameCurrency'),
    regionIds: t('admin.tabs.regions'),
    supportsCodeGeneration: t('admin.products.codeGeneration'),
    codePrefix: t('admin.products.codePrefix'),
    codeGame: t('admin.products.codeGame'),
    buysOnDemand: t('admin.products.onDemand'),
    pricing: t('admin.products.pricing'),
    playerCheck: t('admin.products.playerCheck'),
    promisedMinutes: t('admin.products.promisedMinutes'),
    presets: t('admin.products.presets'),
    receiptTax: t('admin.fiscal.tax'),
    receiptSubject: t('admin.fiscal.subject'),
    receiptMode: t('admin.fiscal.mode'),
    receiptIkpu: t('admin.fiscal.ikpu'),
    receiptPackageCode: t('admin.fiscal.packageCode'),
    receiptVatPercent: t('admin.fiscal.vatPercent'),
    isActive: t('admin.products.active'),
  }
  const { tax: receiptTax, subject: receiptSubject, mode: receiptMode } = receiptChoices(t)
  const choices = {
    receiptTax,
    receiptSubject,
    receiptMode,
    regionIds: toIdOptions(regions),
    codeGame: games,
    kind: toOptions(kindNames, (kind) => t(kindNames[kind])),
    pricing: toOptions(pricingNames, (pricing) => t(pricingNames[pricing])),
    playerCheck: toOptions(checkNames, (check) => t(checkNames[check])),
  }
  return { labels, choices }
}

/** Name, description and instructions in each language. Russian is the one that has to be there. */
function ProductTexts({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const place = (language: string) => (language === 'ru' ? '' : `translations.${language}.`)
  const isWrong = (language: string) => {
    const start = place(language)
    const fields = [`${start}name`, `${start}description`, `${start}activationInstructions`]
    return fields.some((field) => form.errors[field] !== undefined)
  }
  return (
    <Tabs defaultValue="ru" keepMounted>
      <Tabs.List mb="sm" aria-label={t('admin.products.languages')}>
        {shownLanguages.map((language) => (
          <Tabs.Tab key={language} value={language} {...(isWrong(language) && { c: 'var(--olmos-bad)' })}>
            {languageNames[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shownLanguages.map((language) => (
        <Tabs.Panel key={language} value={language}>
          <Stack gap="sm">
            <TextInput
              label={t('admin.products.name')}
              required={language === 'ru'}
              description={language === 'ru' ? undefined : t('admin.products.blankName')}
              maxLength={200}
              data-autofocus={language === 'ru' || undefined}
              {...form.getInputProps(`${place(language)}name`)}
            />
            <Textarea
              label={t('admin.products.description')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={5_000}
              {...form.getInputProps(`${place(language)}description`)}
            />
            <Textarea
              label={t('admin.products.instructions')}
              autosize
              minRows={2}
              maxRows={12}
              maxLength={10_000}
              {...form.getInputProps(`${place(language)}activationInstructions`)}
            />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Where a product is sold, and what its game currency is called there. */
function ProductRegions({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const query = useAllRegions()
  const regions = query.data ?? []
  const { regionIds, currencies, gameCurrency } = form.values
  if (query.error && regions.length === 0) return <ListFailed query={query} />
  return (
    <Checkbox.Group
      label={t('admin.tabs.regions')}
      description={t('admin.products.regionsHint')}
      {...form.getInputProps('regionIds')}
    >
      <Stack gap="xs" mt="xs">
        {regions.map(({ id, name, is_active }) => (
          <Group key={id} gap="sm" mih={36} wrap="nowrap" justify="space-between">
            <Checkbox
              value={String(id)}
              label={is_active ? name : t('admin.products.regionOff', { name })}
              styles={{ root: { flex: 1, minWidth: 0 } }}
            />
            {regionIds.includes(String(id)) && (
              <TextInput
                flex={1}
                aria-label={t('admin.products.currencyIn', { region: name })}
                placeholder={gameCurrency}
                maxLength={40}
                {...form.getInputProps(`currencies.${id}`)}
                value={currencies[id] ?? ''}
              />
            )}
          </Group>
        ))}
        {regionIds.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('admin.products.regionCurrencies')}
          </Text>
        )}
      </Stack>
    </Checkbox.Group>
  )
}
