import { Alert, Button, Fieldset, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedOffer } from '@olmos/contract/offers'
import type { SourceKind, EditedSources as Sources } from '@olmos/contract/sourcing'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { SideView } from '../list/SideView.tsx'
import { toOfferName } from '../products/products.queries.ts'
import { AddFromSupplier } from './AddFromSupplier.tsx'
import { reopenSource, saveSources, useOfferSources } from './sourcing.queries.ts'

interface OfferSourcesProps {
  offer: EditedOffer
  onClose(): void
}

/** Who delivers an offer: the first is asked first, the next one where it can't. */
export function OfferSources({ offer, onClose }: OfferSourcesProps) {
  const { t } = useTranslation()
  const query = useOfferSources(offer.id)
  if (query.data) return <SourcesForm offer={offer} saved={query.data} onClose={onClose} />
  return (
    <SideView title={t('admin.sources.titleOf', { name: toOfferName(t, offer) })} onClose={onClose} size="lg">
      <Loaded query={query} height={240}>
        {() => null}
      </Loaded>
    </SideView>
  )
}

interface SourceValues {
  /** What it is told by: two sources of one kind differ in what is bought there. */
  id: string
  kind: SourceKind
  isOn: boolean
  /** In USD; blank for none. */
  costAtMost: string
  product: NonNullable<Sources['sources'][number]['product']> | null
}

interface Values extends Record<string, unknown> {
  sources: SourceValues[]
}

const toId = (kind: SourceKind, productId: number | undefined) => `${kind} ${productId ?? ''}`

const toValues = (row: Sources | undefined): Values => ({
  sources: (row?.sources ?? []).map(({ kind, is_on, cost_at_most, product }) => ({
    id: toId(kind, product?.id),
    kind,
    isOn: is_on,
    costAtMost: cost_at_most ?? '',
    product,
  })),
})

const sentSources = ({ sources }: Values) =>
  sources.map(({ kind, isOn, costAtMost, product }) => ({
    kind,
    isOn,
    costAtMost: costAtMost.trim().replace(',', '.') || null,
    ...(product && { productId: product.id }),
  }))

function SourcesForm({ offer, saved, onClose }: OfferSourcesProps & { saved: Sources }) {
  const { t } = useTranslation()
  const name = toOfferName(t, offer)
  const isAllowed = useMay()('suppliers.write')
  const { form, ...saving } = useAdminForm<Values, Sources>({
    noun: 'offers',
    row: saved,
    toValues,
    send: (values, version) => saveSources(offer.id, sentSources(values), version),
    onSaved: onClose,
  })
  const { sources } = form.values
  const add = (kind: SourceKind, product: SourceValues['product'] = null) =>
    form.insertListItem('sources', { id: toId(kind, product?.id), kind, isOn: true, costAtMost: '', product })
  const has = (kind: SourceKind, productId?: number) => sources.some(({ id }) => id === toId(kind, productId))
  const read = (value: unknown) =>
    (value as SourceValues[]).map(({ kind, product }) => product?.name ?? kind).join(', ')
  return (
    <FormDrawer
      permission="suppliers.write"
      title={t('admin.sources.titleOf', { name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={{ sources: t('admin.sources.title') }}
      read={{ sources: read }}
    >
      <Text size="sm" c="dimmed">
        {sources.length > 0
          ? t('admin.sources.hint')
          : offer.item_id
            ? t('admin.sources.none', { item: offer.item_id })
            : t('admin.sources.nobody')}
      </Text>
      {sources.map(({ id }, index) => (
        <SourceCard key={id} offer={offer} saved={saved} form={form} index={index} />
      ))}
      <RefusalAlert text={form.errors.sources} />
      {isAllowed && sources.length < LIMITS.offerSourcesMax && (
        <>
          <Group gap="xs">
            {(['pool', 'operator'] as const)
              .filter((kind) => !has(kind))
              .map((kind) => (
                <Button
                  key={kind}
                  variant="default"
                  size="compact-sm"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => add(kind)}
                >
                  {t(`admin.sources.kinds.${kind}`)}
                </Button>
              ))}
          </Group>
          <AddFromSupplier
            isThere={({ id }) => has('supplier', id)}
            onAdd={(product, supplier) =>
              add('supplier', {
                ...product,
                supplier,
                accepted_cost: product.cost,
                accepted_currency: product.currency,
              })
            }
          />
        </>
      )}
    </FormDrawer>
  )
}

interface SourceCardProps {
  offer: EditedOffer
  saved: Sources
  form: UseFormReturnType<Values>
  index: number
}

function SourceCard({ offer, saved, form, index }: SourceCardProps) {
  const { t } = useTranslation()
  const { sources } = form.values
  const source = sources[index]
  if (!source) return null
  const { id, kind, product } = source
  const place = `sources.${index}`
  const name = product ? `${product.supplier}: ${product.name}` : t(`admin.sources.kinds.${kind}`)
  const known = saved.sources.find((one) => toId(one.kind, one.product?.id) === id)
  return (
    <Fieldset legend={`${index + 1}. ${name}`}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Switch label={t('admin.sources.isOn')} {...form.getInputProps(`${place}.isOn`, { type: 'checkbox' })} />
          <Group gap={4} wrap="nowrap">
            <RowButtons
              name={name}
              place={{
                index,
                count: sources.length,
                onMove: (to) => form.reorderListItem('sources', { from: index, to }),
              }}
              onRemove={() => form.removeListItem('sources', index)}
            />
          </Group>
        </Group>
        {product && (
          <>
            <Text size="sm" translate="no">
              {product.reference} · {product.cost} {product.currency}
              {product.cost_usd !== null && product.currency !== 'USD' && ` (${product.cost_usd} USD)`}
            </Text>
            <TextInput
              label={t('admin.sources.costAtMost')}
              description={t('admin.sources.costAtMostHint')}
              inputMode="decimal"
              maxLength={22}
              {...form.getInputProps(`${place}.costAtMost`)}
            />
          </>
        )}
        {known?.closed_reason && <Closed offerId={offer.id} source={known} />}
      </Stack>
    </Fieldset>
  )
}

/** Why the store no longer asks a source, and the yes that opens it again. */
function Closed({ offerId, source }: { offerId: number; source: Sources['sources'][number] }) {
  const { t } = useTranslation()
  const { product, closed_reason } = source
  const reopen = useAdminAction({
    noun: 'offers',
    send: (cost: { cost: string; currency: string }) => reopenSource(offerId, source.id, cost),
    done: t('admin.sources.reopened'),
  })
  return (
    <Alert color="yellow">
      <Text size="sm">
        {closed_reason === 'gone' && t('admin.sources.closedGone')}
        {closed_reason === 'fields' && t('admin.sources.closedFields')}
        {closed_reason === 'cost_moved' &&
          t('admin.sources.closedMoved', {
            was: `${product?.accepted_cost} ${product?.accepted_currency}`,
            now: `${product?.cost} ${product?.currency}`,
          })}
      </Text>
      {product && closed_reason === 'cost_moved' && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          loading={reopen.isPending}
          onClick={() => reopen.mutate({ cost: product.cost, currency: product.currency })}
        >
          {t('admin.sources.reopen')}
        </Button>
      )}
      <RefusalAlert text={reopen.refusal} />
    </Alert>
  )
}
