import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { SupplierProduct, SupplierService } from '@olmos/contract/supplier-lists'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useUnsaved } from '../form/use-unsaved.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { useTopupProducts } from '../products/products.queries.ts'
import { Allowed, AllowedFields } from '../shell/Allowed.tsx'
import { UnitHint } from '../shop/UnitList.tsx'
import type { ChosenGame } from './chosen-games.ts'
import { isTakeable, useProductsOfService } from './sourcing.queries.ts'

interface GamePackagesProps {
  supplier: string
  service: SupplierService
  /** What was chosen of it before. */
  chosen: ChosenGame | undefined
  /** Undefined: nothing of it. */
  onChoose(game: ChosenGame | undefined): void
  onClose(): void
}

/** What a supplier sells of a game: which of it is taken over, and as which product. */
export function GamePackages({ supplier, service, ...props }: GamePackagesProps) {
  const { t } = useTranslation()
  const query = useProductsOfService(supplier, service)
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <SideView title={service.title} isUnsaved={isUnsaved} onClose={props.onClose} closeLabel={t('admin.form.cancel')}>
      {(leave) => (
        <Loaded query={query} height={320} empty={<Text c="dimmed">{t('admin.products.noPackages')}</Text>}>
          {(products) => (
            <PackagesForm {...props} service={service} products={products} onUnsaved={setUnsaved} onClose={leave} />
          )}
        </Loaded>
      )}
    </SideView>
  )
}

interface PackagesFormProps extends Omit<GamePackagesProps, 'supplier'> {
  products: readonly SupplierProduct[]
  onUnsaved(isUnsaved: boolean): void
}

/** The amounts of the ticked packages, by their references; blank is read from the name. */
type Ticked = Readonly<Record<string, number | string>>

function toTicked(chosen: ChosenGame | undefined, products: readonly SupplierProduct[]): Ticked {
  const offers: NonNullable<ChosenGame['offers']> = chosen?.offers ?? products.filter(isTakeable)
  return Object.fromEntries(offers.map(({ reference, gameAmount }) => [reference, gameAmount ?? '']))
}

function PackagesForm({ service, products, chosen, onChoose, onUnsaved, onClose }: PackagesFormProps) {
  const { t } = useTranslation()
  const [ticked, setTicked] = useState(() => toTicked(chosen, products))
  const [name, setName] = useState(chosen?.name ?? '')
  const [gameCurrency, setGameCurrency] = useState(chosen?.gameCurrency ?? '')
  const [productId, setProductId] = useState(String(chosen?.productId ?? ''))
  const count = Object.keys(ticked).length
  const amounts = products.map(({ reference }) => ticked[reference] ?? null)
  const typed = JSON.stringify([amounts, name, gameCurrency, productId])
  const [typedBefore] = useState(typed)
  const isUnsaved = typed !== typedBefore
  useUnsaved(isUnsaved, onUnsaved)
  const tick = (reference: string, isTicked: boolean) => {
    const { [reference]: _, ...others } = ticked
    setTicked(isTicked ? { ...others, [reference]: '' } : others)
  }
  const choose = () => {
    const offers = products.flatMap(({ reference }) => {
      const amount = ticked[reference]
      return amount === undefined ? [] : [{ reference, ...(amount !== '' && { gameAmount: Number(amount) }) }]
    })
    const asProduct = productId
      ? { productId: Number(productId) }
      : { ...(name && { name }), ...(gameCurrency && { gameCurrency }) }
    onChoose(offers.length > 0 ? { service, offers, ...asProduct } : undefined)
  }
  return (
    <Stack>
      <AllowedFields to="suppliers.write">
        <Stack>
          <AsProduct
            service={service}
            values={{ productId, name, gameCurrency }}
            onProduct={setProductId}
            onName={setName}
            onCurrency={setGameCurrency}
          />
          <Text size="sm" c="dimmed">
            {t('admin.sourcing.amountHint')}
          </Text>
          <PackageTable
            products={products}
            ticked={ticked}
            onTick={tick}
            onAmount={(reference, amount) => setTicked({ ...ticked, [reference]: amount })}
          />
        </Stack>
      </AllowedFields>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('admin.form.cancel')}
        </Button>
        <Allowed to="suppliers.write">
          <Button onClick={choose}>{t('admin.sourcing.chooseCount', { count })}</Button>
        </Allowed>
      </Group>
    </Stack>
  )
}

interface AsProductProps {
  service: SupplierService
  values: { productId: string; name: string; gameCurrency: string }
  onProduct(productId: string): void
  onName(name: string): void
  onCurrency(gameCurrency: string): void
}

/** Which product the game becomes: a new one, or one of the shop. */
function AsProduct({ service, values, onProduct, onName, onCurrency }: AsProductProps) {
  const { t } = useTranslation()
  const products = useTopupProducts()
  return (
    <>
      {service.fields.length > 0 && (
        <Text size="sm">
          {t('admin.sourcing.asksFor', { fields: service.fields.map(({ label }) => label).join(', ') })}
        </Text>
      )}
      {service.kind === 'topup' && (
        <NativeSelect
          label={t('admin.sourcing.asProduct')}
          value={values.productId}
          onChange={(event) => onProduct(event.currentTarget.value)}
          data={[
            {
              value: '',
              label: t(service.taken.length > 0 ? 'admin.sourcing.sameProduct' : 'admin.sourcing.newProduct'),
            },
            ...toIdOptions(products.data),
          ]}
        />
      )}
      {values.productId === '' && service.taken.length === 0 && (
        <Group grow align="flex-start">
          <TextInput
            label={t('admin.products.name')}
            placeholder={service.title}
            maxLength={200}
            value={values.name}
            onChange={(event) => onName(event.currentTarget.value)}
          />
          <TextInput
            label={t('admin.products.gameCurrency')}
            maxLength={40}
            description={<UnitHint currency={values.gameCurrency} />}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.gameCurrency}
            onChange={(event) => onCurrency(event.currentTarget.value)}
          />
        </Group>
      )}
    </>
  )
}

interface PackageTableProps {
  products: readonly SupplierProduct[]
  ticked: Ticked
  onTick(reference: string, isTicked: boolean): void
  onAmount(reference: string, amount: number | string): void
}

function PackageTable({ products, ticked, onTick, onAmount }: PackageTableProps) {
  const { t } = useTranslation()
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('admin.products.package')}</Table.Th>
          <Table.Th ta="right">{t('admin.sourcing.cost')}</Table.Th>
          <Table.Th ta="right">{t('admin.products.gameAmount')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {products.map((product) => {
          const { reference, name } = product
          const amount = ticked[reference]
          return (
            <Table.Tr key={reference}>
              <Table.Td>
                <Checkbox
                  label={name}
                  description={<PackageNote product={product} />}
                  checked={amount !== undefined}
                  disabled={!isTakeable(product)}
                  onChange={(event) => onTick(reference, event.currentTarget.checked)}
                />
              </Table.Td>
              <Table.Td ta="right" translate="no">
                {product.cost} {product.currency}
              </Table.Td>
              <Table.Td>
                <NumberInput
                  aria-label={t('admin.sourcing.amountOf', { name })}
                  placeholder={t('admin.sourcing.byName')}
                  w={120}
                  ml="auto"
                  min={1}
                  max={LIMITS.gameAmountMax}
                  allowDecimal={false}
                  allowNegative={false}
                  hideControls
                  disabled={amount === undefined}
                  value={amount ?? ''}
                  onChange={(next) => onAmount(reference, next)}
                />
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

/** Why a package can't be taken over, or which offers are bought by it already. */
function PackageNote({ product }: { product: SupplierProduct }) {
  const { t } = useTranslation()
  if (product.gone_at) return t('admin.sourcing.gone')
  if (!isTakeable(product)) return t('admin.sourcing.fromQuantity', { count: product.quantity_min ?? 0 })
  const titles = [...new Set(product.offers.map(({ product_title }) => product_title))]
  return titles.length > 0 ? t('admin.sourcing.soldAs', { names: titles.join(', ') }) : product.reference
}
