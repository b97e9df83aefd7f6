import { Box, Button, Group, SimpleGrid, Skeleton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { OrderCard } from '../features/orders/OrderCard.tsx'
import { useOrders } from '../features/orders/orders.queries.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Surface } from '../ui/Surface.tsx'
import { CustomerPage } from './CustomerPage.tsx'
import { useSearchText } from './search-text.ts'

export default function Orders() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('orders.title')} skeleton={<OrdersSkeleton />}>
      <SearchedOrders />
    </CustomerPage>
  )
}

/** Another search is another list, which begins at its first page. */
function SearchedOrders() {
  const { t } = useTranslation()
  const [search, look] = useSearchText()
  return (
    <>
      <TextInput
        mb="lg"
        type="search"
        label={t('orders.search')}
        placeholder={t('orders.searchHint')}
        leftSection={<IconSearch size={18} />}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={100}
        value={search}
        onChange={(event) => look(event.currentTarget.value)}
      />
      <OrderList search={search.trim().toUpperCase()} onClear={() => look('')} />
    </>
  )
}

function OrderList({ search, onClear }: { search: string; onClear(): void }) {
  const { t } = useTranslation()
  const query = useOrders(search)
  const { isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const retry = () => (isFetchNextPageError ? fetchNextPage() : refetch())
  const failure = <QueryFailed title={t('orders.failed')} query={query} onRetry={retry} />
  const empty = search === '' ? <NoOrders /> : <NothingFound onClear={onClear} />

  return (
    <QueryView query={query} skeleton={<OrdersSkeleton />} failed={failure} empty={empty}>
      {(orders) => (
        <Box aria-busy={isFetching}>
          {/* What was shown stays; it may be stale, or not all. */}
          {query.isError && !isFetchNextPageError && failure}
          <SimpleGrid component="ul" cols={{ base: 1, md: 2 }} spacing="sm" m={0} p={0} style={{ listStyle: 'none' }}>
            {orders.map((order) => (
              <li key={order.id}>
                <OrderCard order={order} />
              </li>
            ))}
          </SimpleGrid>
          {isFetchNextPageError && failure}
          {hasNextPage && !isFetchNextPageError && (
            <Group justify="center" mt="lg">
              <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
                {t('orders.more')}
              </Button>
            </Group>
          )}
        </Box>
      )}
    </QueryView>
  )
}

function NoOrders() {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('orders.empty')} text={t('orders.emptyText')}>
      <Button component={Link} to={paths.products}>
        {t('notFound.browse')}
      </Button>
    </EmptyState>
  )
}

function NothingFound({ onClear }: { onClear(): void }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('orders.nothing')} text={t('orders.nothingText')}>
      <Button onClick={onClear}>{t('orders.clearSearch')}</Button>
    </EmptyState>
  )
}

/** Stands in for orders that are being loaded; about as many as fit on a phone. */
function OrdersSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" aria-hidden>
      {[1, 2, 3, 4].map((card) => (
        <Surface key={card}>
          <Group wrap="nowrap" gap="sm" align="flex-start">
            <Skeleton w={72} h={54} radius="sm" style={{ flexShrink: 0 }} />
            <Box flex={1}>
              <Skeleton h={18} w="60%" mb={10} />
              <Skeleton h={14} w="50%" mb={8} />
              <Skeleton h={14} w="40%" />
            </Box>
          </Group>
          <Group justify="space-between" mt="sm">
            <Skeleton h={26} w={110} radius="xl" />
            <Skeleton h={20} w={90} />
          </Group>
        </Surface>
      ))}
    </SimpleGrid>
  )
}
