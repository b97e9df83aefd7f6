import { Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import * as LIMITS from '@olmos/contract/limits'
import type { SupplierProduct } from '@olmos/contract/supplier-lists'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { useFoundProducts, useSyncs } from './sourcing.queries.ts'

interface AddFromSupplierProps {
  isThere(product: SupplierProduct): boolean
  onAdd(product: SupplierProduct, supplier: string): void
}

/** Searches a supplier's catalogue for what is to be bought there. */
export function AddFromSupplier({ isThere, onAdd }: AddFromSupplierProps) {
  const { t } = useTranslation()
  const syncs = useSyncs()
  const [chosen, setChosen] = useState('')
  const supplier = chosen || (syncs.data?.[0]?.supplier ?? '')
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), ADMIN_LIMITS.typingPauseMs)
  if (syncs.data?.length === 0) return null
  return (
    <Fieldset legend={t('admin.sources.addSupplier')}>
      <Stack gap="xs">
        <Group align="flex-end" grow>
          <NativeSelect
            label={t('admin.sourcing.supplier')}
            value={supplier}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={(syncs.data ?? []).map((sync) => sync.supplier)}
          />
          <TextInput
            label={t('admin.sourcing.searchProducts')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            // Enter would save the form that this stands in.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </Group>
        {search !== '' && <FoundProducts supplier={supplier} search={search} isThere={isThere} onAdd={onAdd} />}
      </Stack>
    </Fieldset>
  )
}

/** The first of what a supplier sells by a name, and how many there are besides. */
export function FoundProducts({
  supplier,
  search,
  isThere,
  onAdd,
}: AddFromSupplierProps & { supplier: string; search: string }) {
  const { t } = useTranslation()
  const products = useFoundProducts(supplier, search)
  return (
    <Loaded
      query={products}
      height={80}
      empty={<Text size="sm">{t('admin.list.nothing')}</Text>}
      isEmpty={({ total }) => total === 0}
    >
      {({ data, total }) => (
        <>
          {data.map((product) => (
            <Group key={product.id} justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm">{[product.service_title, product.name].filter(Boolean).join(', ')}</Text>
                <Text size="xs" c="dimmed" translate="no">
                  {product.reference} · {product.cost} {product.currency}
                </Text>
              </div>
              <Button
                variant="default"
                size="compact-sm"
                disabled={isThere(product) || product.gone_at !== null}
                aria-label={t('admin.sources.addOf', { name: product.name })}
                onClick={() => onAdd(product, supplier)}
              >
                {t('admin.sources.add')}
              </Button>
            </Group>
          ))}
          {total > data.length && (
            <Text size="sm" c="dimmed" role="status">
              {t(total < LIMITS.searchCountMax ? 'admin.sources.more' : 'admin.sources.manyMore', {
                left: total - data.length,
              })}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}
