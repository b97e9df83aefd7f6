import { Group, NumberInput, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ListedCode } from '@olmos/contract/codes'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedOffer, offersApi } from '@olmos/contract/offers'
import { useState } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { useMay } from '../../session/profile.ts'
import { BoughtFields } from '../batches/BoughtFields.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { useAdminRead } from '../list/use-admin-list.ts'
import { useCodeProducts } from '../products/products.queries.ts'
import { type CodeValues, codeErrors, codeValues, sentCode, sentCodeChange } from './code-values.ts'
import { addCode, changeCode } from './codes.queries.ts'
import { PlaceFields } from './PlaceFields.tsx'

export function CodeForm({ code, onClose }: { code: ListedCode | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const saving = useAdminForm({
    noun: 'codes',
    row: code,
    toValues: codeValues,
    validate: (values) => codeErrors(values, code),
    send: (values, _version, seen, isConfirmed) => {
      const confirmed = isConfirmed && { confirmPrices: true }
      return seen
        ? changeCode(seen, { ...sentCodeChange(values, seen), ...confirmed })
        : addCode({ ...sentCode(values), ...confirmed })
    },
    onSaved: onClose,
  })
  const { form } = saving
  const offer = useOfferInForce(form.values)
  const inForce = offer ? toPrices(offer) : noPrices
  const [filledIn, setFilledIn] = useState<Prices>(code ? toPrices(code) : noPrices)
  // The fields follow the price of the offer until the operator types another.
  if (offer !== undefined && !isSamePrice(inForce, filledIn)) {
    setFilledIn(inForce)
    if (isSamePrice(form.values, filledIn)) form.setValues(inForce)
  }
  const { data: products = [] } = useCodeProducts()
  const labels = {
    productId: t('admin.codes.product'),
    regionId: t('admin.codes.region'),
    mask: t('admin.codes.code'),
    code: t('admin.codes.code'),
    gameAmount: t('admin.codes.gameAmount'),
    priceUsd: t('admin.products.priceUsd'),
    priceRub: t('admin.products.priceRub'),
    status: t('admin.orders.status'),
  }
  const states = [
    { value: 'available', label: t('admin.codes.state.available') },
    { value: 'archived', label: t('admin.codes.state.archived') },
  ]
  const choices = {
    productId: toIdOptions(products),
    regionId: [
      { value: '0', label: t('admin.codes.noRegion') },
      ...products.flatMap(({ regions }) => toIdOptions(regions)),
    ],
    status: states,
  }
  const money = { min: 0, max: LIMITS.amountMax / 100, flex: 1, required: true }
  return (
    <FormDrawer
      title={code ? t('admin.codes.edit', { code: code.code }) : t('admin.codes.add')}
      onClose={onClose}
      form={saving}
      labels={labels}
      choices={choices}
    >
      <PlaceFields
        productId={form.values.productId}
        product={form.getInputProps('productId')}
        region={form.getInputProps('regionId')}
      />
      <Textarea
        autosize
        maxRows={6}
        label={labels.code}
        description={code && t('admin.codes.codeStays')}
        required={!code}
        maxLength={LIMITS.codeLengthMax}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('code')}
      />
      <NumberInput
        label={labels.gameAmount}
        required
        hideControls
        allowDecimal={false}
        min={1}
        max={LIMITS.gameAmountMax}
        {...form.getInputProps('gameAmount')}
      />
      <Stack gap={4}>
        <Group align="flex-start">
          <MoneyInput currency="USD" label={labels.priceUsd} {...money} {...form.getInputProps('priceUsd')} />
          <MoneyInput currency="RUB" label={labels.priceRub} {...money} {...form.getInputProps('priceRub')} />
        </Group>
        <OfferText offer={offer} typed={form.values} />
      </Stack>
      {!code && <BoughtFields inputs={(field) => form.getInputProps(`bought.${field}`)} />}
      {code && <SegmentedControl aria-label={labels.status} data={states} {...form.getInputProps('status')} />}
    </FormDrawer>
  )
}

const noPrices = { priceUsd: '', priceRub: '' } as const
type Prices = Pick<CodeValues, 'priceUsd' | 'priceRub'>

const toPrices = ({ price_usd, price_rub }: { price_usd: number; price_rub: number }) => ({
  priceUsd: price_usd,
  priceRub: price_rub,
})

const isSamePrice = (one: Prices, other: Prices) =>
  String(one.priceUsd) === String(other.priceUsd) && String(one.priceRub) === String(other.priceRub)

/** Says what the offer costs now, and what all its codes will cost once this is saved. */
function OfferText({ offer, typed }: { offer: EditedOffer | null | undefined; typed: Prices }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const mayPrice = useMay()('prices.write')
  const shown = ({ priceUsd, priceRub }: Prices) =>
    `${formatAmount(Number(priceUsd), 'USD', language)} / ${formatAmount(Number(priceRub), 'RUB', language)}`
  const inForce = offer ? toPrices(offer) : undefined
  const isTyped = typed.priceUsd !== '' && typed.priceRub !== ''
  const isChange = inForce !== undefined && isTyped && shown(typed) !== shown(inForce)
  return (
    <>
      <Text size="xs" c="dimmed">
        {inForce && t('admin.codes.priceInForce', { price: shown(inForce) })}
        {offer === null && t(mayPrice ? 'admin.codes.newPackage' : 'admin.codes.noPackage')}
        {offer === undefined && t('admin.codes.priceOfPackage')}
      </Text>
      {isChange && (
        <Text size="sm" c="var(--olmos-wait)" role="status">
          {t('admin.codes.priceChanges', { was: shown(inForce), price: shown(typed) })}
        </Text>
      )}
    </>
  )
}

const offers = caller<typeof offersApi.list>('GET /admin/products/:id/offers')

interface Place {
  productId: string
  /** `0` is none. */
  regionId: string
  gameAmount: number | string
}

/** Finds the offer with an amount in a place: undefined until it is known, null when there is none. */
function useOfferInForce({ productId, regionId, gameAmount }: Place): EditedOffer | null | undefined {
  const [amount] = useDebouncedValue(String(gameAmount), ADMIN_LIMITS.typingPauseMs)
  const { data: found } = useAdminRead(
    queryKeys.admin.noun('offers', 'with-amount', productId, amount),
    offers,
    { params: { id: productId }, query: { search: amount, pageSize: '200' } },
    { enabled: productId !== '' && amount !== '' },
  )
  if (!found || amount !== String(gameAmount)) return undefined
  return found.find((offer) => String(offer.region_id) === regionId) ?? null
}
