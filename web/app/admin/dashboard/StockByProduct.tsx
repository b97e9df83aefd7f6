import { Accordion, Group, Table, Text, Title } from '@mantine/core'
import type { Summary } from '@olmos/contract/summary'
import { useTranslation } from 'react-i18next'
import { Surface } from '../../ui/Surface.tsx'
import { OfferStockTable } from './LowStock.tsx'

export function StockByProduct({ products }: { products: Summary['stock'] }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="stock">
      <Surface>
        <Title order={2} size="h4" mb="sm" id="stock">
          {t('admin.dashboard.stock')}
        </Title>
        <Accordion multiple variant="default" keepMounted={false}>
          {products.map((product) => (
            <Accordion.Item key={product.product_id} value={String(product.product_id)}>
              <Accordion.Control>
                <Group justify="space-between" wrap="nowrap" pe="sm">
                  <Text>{product.product_title}</Text>
                  <Text c="dimmed">{t('admin.orders.codes', { count: product.available_count })}</Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Table.ScrollContainer minWidth={280}>
                  <OfferStockTable offers={product.packages} />
                </Table.ScrollContainer>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Surface>
    </section>
  )
}
