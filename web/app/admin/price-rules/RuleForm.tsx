import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { costCurrencies } from '@olmos/contract/offers'
import { type PriceRule, type RuleScope, roundings } from '@olmos/contract/price-rules'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { gameAmountText } from '../../money/game-number.ts'
import { DecimalInput, MoneyInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { toOfferName, useAllOffers, useAllProducts } from '../products/products.queries.ts'
import { PricePreviewTable } from './PricePreview.tsx'
import { type RuleValues, saveRule, toFigures, toRuleWish, useExample } from './price-rules.queries.ts'

/** Those that an admin adds; the others are there for good. */
const addedScopes = ['category', 'product', 'offer'] as const satisfies readonly RuleScope[]

const toValues = (rule: PriceRule | undefined): RuleValues => ({
  scope: rule?.scope ?? 'category',
  category: rule?.category ?? '',
  productId: rule?.product_id ? String(rule.product_id) : '',
  offerId: rule?.offer_id ? String(rule.offer_id) : '',
  margin_percent: rule?.margin_percent ?? '',
  least_usd: rule?.least_usd ?? 0,
  least_rub: rule?.least_rub ?? 0,
  payment_percent: rule?.payment_percent ?? 0,
  rounding_usd: rule?.rounding_usd ?? 'hundredth',
  rounding_rub: rule?.rounding_rub ?? 'whole',
})

const targetFields: Readonly<Partial<Record<RuleScope, string>>> = {
  category: 'category',
  product: 'productId',
  offer: 'offerId',
}
const figureFields = ['margin_percent', 'least_usd', 'least_rub', 'payment_percent']

function missingIn(values: RuleValues): Record<string, string> {
  const target = targetFields[values.scope]
  return missingFields(values, target ? [target, ...figureFields] : figureFields)
}

/** The figures of a rule, with an example, and with every price that it would change. */
export function RuleForm({ rule, onClose }: { rule: PriceRule | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const toName = useRuleName()
  // What was previewed, and its digest once it is there: what is saved is what was seen.
  const [shown, setShown] = useState<{ values: string; seen?: string }>()
  const { form, ...saving } = useAdminForm<RuleValues, PriceRule>({
    noun: 'prices',
    row: rule,
    toValues,
    validate: missingIn,
    send: (values, version) =>
      saveRule(rule, values, version, shown?.values === JSON.stringify(values) ? shown.seen : undefined),
    onSaved: onClose,
  })
  const { values } = form
  const isForAmounts = values.scope === 'amount'
  const typed = JSON.stringify(values)
  const labels = {
    scope: t('admin.priceRules.for'),
    category: t('admin.products.category'),
    productId: t('admin.codes.product'),
    offerId: t('admin.products.package'),
    margin_percent: t(isForAmounts ? 'admin.priceRules.commission' : 'admin.priceRules.margin'),
    least_usd: t('admin.priceRules.leastUsd'),
    least_rub: t('admin.priceRules.leastRub'),
    payment_percent: t('admin.priceRules.payment'),
    rounding_usd: t('admin.priceRules.roundingUsd'),
    rounding_rub: t('admin.priceRules.roundingRub'),
  }
  const money = { max: LIMITS.amountMax / 100 }
  const roundingOptions = roundings.map((value) => ({ value, label: t(`admin.priceRules.roundings.${value}`) }))
  return (
    <FormDrawer
      title={rule ? toName(rule) : t('admin.priceRules.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      choices={{ rounding_usd: roundingOptions, rounding_rub: roundingOptions }}
    >
      {!rule && <TargetFields form={form} labels={labels} />}
      <DecimalInput
        label={labels.margin_percent}
        description={t(isForAmounts ? 'admin.priceRules.commissionHint' : 'admin.priceRules.marginHint')}
        required
        suffix=" %"
        decimalScale={2}
        max={LIMITS.marginPercentMax}
        {...form.getInputProps('margin_percent')}
      />
      <SimpleGrid cols={2}>
        <MoneyInput currency="USD" label={labels.least_usd} {...money} {...form.getInputProps('least_usd')} />
        <MoneyInput currency="RUB" label={labels.least_rub} {...money} {...form.getInputProps('least_rub')} />
      </SimpleGrid>
      {!isForAmounts && (
        <>
          <DecimalInput
            label={labels.payment_percent}
            description={t('admin.priceRules.paymentHint')}
            suffix=" %"
            decimalScale={2}
            max={LIMITS.paymentPercentMax}
            {...form.getInputProps('payment_percent')}
          />
          <SimpleGrid cols={2}>
            <NativeSelect label={labels.rounding_usd} data={roundingOptions} {...form.getInputProps('rounding_usd')} />
            <NativeSelect label={labels.rounding_rub} data={roundingOptions} {...form.getInputProps('rounding_rub')} />
          </SimpleGrid>
        </>
      )}
      <RuleExample values={values} isReady={figureFields.every((field) => values[field] !== '')} />
      {!isForAmounts && (
        <Group>
          <Button
            variant="default"
            disabled={shown?.values === typed}
            onClick={() => !form.validate().hasErrors && setShown({ values: typed })}
          >
            {t('admin.priceRules.preview')}
          </Button>
        </Group>
      )}
      {shown?.values === typed && (
        <PricePreviewTable
          wish={toRuleWish(rule, values)}
          onSeen={(seen) => setShown({ values: typed, seen })}
          note={t('admin.priceRules.seenHint')}
        />
      )}
    </FormDrawer>
  )
}

interface TargetFieldsProps {
  form: ReturnType<typeof useAdminForm<RuleValues, PriceRule>>['form']
  labels: Readonly<Record<'scope' | 'category' | 'productId' | 'offerId', string>>
}

/** What a new rule is for. */
function TargetFields({ form, labels }: TargetFieldsProps) {
  const { t } = useTranslation()
  const products = useAllProducts()
  const { scope, productId } = form.values
  const categories = [...new Set(products.data?.flatMap(({ category }) => category))].sort()
  const toChoices = (options: { value: string; label: string }[]) => [
    { value: '', label: t('admin.priceRules.choose') },
    ...options,
  ]
  return (
    <>
      <NativeSelect
        label={labels.scope}
        data={addedScopes.map((value) => ({ value, label: t(`admin.priceRules.scopes.${value}`) }))}
        {...form.getInputProps('scope')}
      />
      {scope === 'category' && (
        <NativeSelect
          label={labels.category}
          required
          data={toChoices(categories.map((value) => ({ value, label: value })))}
          {...form.getInputProps('category')}
        />
      )}
      {(scope === 'product' || scope === 'offer') && (
        <NativeSelect
          label={labels.productId}
          required
          data={toChoices(toIdOptions(products.data))}
          {...form.getInputProps('productId')}
        />
      )}
      {scope === 'offer' && productId !== '' && (
        <OfferSelect productId={Number(productId)} label={labels.offerId} input={form.getInputProps('offerId')} />
      )}
    </>
  )
}

interface OfferSelectProps {
  productId: number
  label: string
  input: object
}

function OfferSelect({ productId, label, input }: OfferSelectProps) {
  const { t } = useTranslation()
  const offers = useAllOffers(productId)
  return (
    <NativeSelect
      label={label}
      required
      data={[
        { value: '', label: t('admin.priceRules.choose') },
        ...(offers.data ?? []).map((offer) => ({ value: String(offer.id), label: toOfferName(t, offer) })),
      ]}
      {...input}
    />
  )
}

const exampleCost = '5'

/** What the rule makes of a cost that can be typed, as it is typed. */
function RuleExample({ values, isReady }: { values: RuleValues; isReady: boolean }) {
  const { t } = useTranslation()
  const [cost, setCost] = useState(exampleCost)
  const [currency, setCurrency] = useState('USD')
  const isCost = /^\d{1,12}(\.\d{1,8})?$/.test(cost) && Number(cost) > 0
  const { data } = useExample({ rule: toFigures(values), cost, currency }, isReady && isCost)
  return (
    <Surface p="md">
      <Stack gap="xs">
        <Text fw={600}>{t('admin.priceRules.example')}</Text>
        <Group align="flex-end">
          <TextInput
            label={t('admin.priceRules.cost')}
            inputMode="decimal"
            w={140}
            value={cost}
            error={!isCost}
            onChange={(event) => setCost(event.currentTarget.value.replace(',', '.').trim())}
          />
          <NativeSelect
            label={t('admin.priceRules.currency')}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
            data={[...costCurrencies]}
          />
          <Text role="status" fz="lg">
            {data ? (
              <b>
                <Amount value={data.price_usd} currency="USD" /> / <Amount value={data.price_rub} currency="RUB" />
              </b>
            ) : (
              data === null && t('admin.priceRules.noRate')
            )}
          </Text>
        </Group>
      </Stack>
    </Surface>
  )
}

/** What a rule is for, in words. */
export function useRuleName(): (rule: PriceRule) => string {
  const { t } = useTranslation()
  return ({ scope, category, product_title, game_amount, game_currency }) => {
    const target =
      category ??
      [product_title, game_amount && game_currency && gameAmountText(t, game_amount, game_currency)]
        .filter(Boolean)
        .join(' ')
    return target === '' ? t(`admin.priceRules.scopes.${scope}`) : `${t(`admin.priceRules.scopes.${scope}`)}: ${target}`
  }
}
