import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ShopSupplier } from '@olmos/contract/supplier-setup'
import { useSearchParams } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { Section } from '../list/Section.tsx'
import { Versions } from '../shop/Versions.tsx'
import { CatalogueScreen } from '../sourcing/CatalogueScreen.tsx'
import { catalogueParam } from '../sourcing/sourcing.queries.ts'
import { SupplierCard } from './SupplierCard.tsx'
import { moveSupplier, supplierHistory, useSupplierAccounts, useSuppliers } from './suppliers.queries.ts'

/** Who delivers, in their order, and how they are; or the catalogue that the address names. */
export default function SuppliersTab() {
  const [params] = useSearchParams()
  return params.has(catalogueParam) ? <CatalogueScreen /> : <Suppliers />
}

function Suppliers() {
  const { t } = useTranslation()
  return (
    <Section id="suppliers" title={t('admin.suppliers.title')} hint={t('admin.suppliers.hint')}>
      <Loaded query={useSupplierAccounts()} height={320} empty={<Text c="dimmed">{t('admin.suppliers.empty')}</Text>}>
        {(suppliers) => (
          <Stack>
            <SupplierCards suppliers={suppliers} />
            <Group justify="space-between">
              <Text size="sm" c="dimmed" flex="1 1 260px">
                {t('admin.suppliers.historyText')}
              </Text>
              <Versions history={supplierHistory} />
            </Group>
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function SupplierCards({ suppliers }: { suppliers: readonly ShopSupplier[] }) {
  const { t } = useTranslation()
  const health = useSuppliers().data
  const order = suppliers.filter(({ is_movable }) => is_movable).map(({ name }) => name)
  const move = useAdminAction({
    noun: 'suppliers',
    send: ({ from, to }: { from: number; to: number }) => moveSupplier(order, from, to),
    done: t('admin.form.saved'),
    isRefusalToasted: true,
  })
  const toPlace = ({ name, is_movable }: ShopSupplier) => {
    const index = order.indexOf(name)
    return is_movable
      ? { index, count: order.length, onMove: (to: number) => move.mutate({ from: index, to }) }
      : undefined
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {suppliers.map((supplier) => (
        <SupplierCard
          key={supplier.name}
          supplier={supplier}
          health={health?.find(({ name }) => name === supplier.name)}
          place={toPlace(supplier)}
        />
      ))}
    </SimpleGrid>
  )
}
