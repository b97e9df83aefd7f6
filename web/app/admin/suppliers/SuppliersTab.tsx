import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { SupplierHealth } from '@olmos/contract/deliveries'
import { Link, useSearchParams } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { CatalogueScreen } from '../sourcing/CatalogueScreen.tsx'
import { catalogueParam, cataloguePath, useSyncs } from '../sourcing/sourcing.queries.ts'
import { useSuppliers } from './suppliers.queries.ts'

/** How the suppliers are and what the shop has left there, or the catalogue that the address names. */
export default function SuppliersTab() {
  const [params] = useSearchParams()
  return params.has(catalogueParam) ? <CatalogueScreen /> : <SupplierCards />
}

function SupplierCards() {
  const { t } = useTranslation()
  return (
    <Loaded query={useSuppliers()} height={240} empty={<Text c="dimmed">{t('admin.suppliers.empty')}</Text>}>
      {(suppliers) => (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {suppliers.map((supplier) => (
            <Supplier key={supplier.name} supplier={supplier} />
          ))}
        </SimpleGrid>
      )}
    </Loaded>
  )
}

function Supplier({ supplier }: { supplier: SupplierHealth }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const isOut = supplier.state === 'out'
  const hasCatalogue = useSyncs().data?.some((sync) => sync.supplier === supplier.name)
  return (
    <section aria-label={supplier.name}>
      <Surface p="lg">
        <Stack gap="xs">
          <Group justify="space-between">
            <Title order={2} size="h4" translate="no">
              {supplier.name}
            </Title>
            <StatusBadge tone={isOut ? 'bad' : 'good'} text={t(isOut ? 'admin.suppliers.out' : 'admin.suppliers.in')} />
          </Group>
          <Text size="sm" c="dimmed">
            {supplier.sells.join(', ')}
          </Text>
          {isOut && supplier.out_until && (
            <Text size="sm">
              {t('admin.suppliers.until')} <Moment at={supplier.out_until} />
            </Text>
          )}
          {supplier.balance !== null && (
            <Text fw={700} c={supplier.is_balance_low ? 'var(--olmos-bad)' : undefined}>
              {t('admin.suppliers.balance')} {gameNumber(supplier.balance)} {supplier.balance_currency}
            </Text>
          )}
          {supplier.failures > 0 && (
            <Text size="sm" c="var(--olmos-wait)">
              {t('admin.suppliers.failures', { count: supplier.failures })}
            </Text>
          )}
          {supplier.last_answer_at && (
            <Text size="sm" c="dimmed">
              {t('admin.suppliers.answered')} <Ago at={supplier.last_answer_at} />
            </Text>
          )}
          {supplier.last_error && supplier.last_error_at && (
            <Text size="sm" c="dimmed">
              {t('admin.suppliers.error')} <Ago at={supplier.last_error_at} />: {reasonText(supplier.last_error)}
            </Text>
          )}
          {hasCatalogue && (
            <Anchor component={Link} to={cataloguePath(supplier.name)}>
              {t('admin.sourcing.catalogueOf', { name: supplier.name })}
            </Anchor>
          )}
        </Stack>
      </Surface>
    </section>
  )
}
