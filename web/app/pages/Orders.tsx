import { Box, Button, Group, SimpleGrid, TextInput } from '@mantine/core'
import { IconReceipt, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { OrderCard } from '../features/orders/OrderCard.tsx'
import { OrdersSkeleton } from '../features/orders/OrdersSkeleton.tsx'
import { useOrders } from '../features/orders/orders.queries.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

export default function Orders() {
  const { t } = useTranslation()
  return (
    <Page title={t('orders.title')}>
      <PrivateTitle title={t('orders.title')} />
      <RequireLogin whileUnknown={<OrdersSkeleton />}>
        <SearchedOrders />
      </RequireLogin>
    </Page>
  )
}

/** Another search is another list, which begins at its first page. */
function SearchedOrders() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  // The address follows what is typed; typing can't wait for it.
  const [search, setSearch] = useState(params.get('search') ?? '')
  const look = (text: string) => {
    setSearch(text)
    setParams(text === '' ? {} : { search: text }, { replace: true, preventScrollReset: true })
  }

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
    <EmptyState icon={IconReceipt} title={t('orders.empty')} text={t('orders.emptyText')}>
      <Button component={Link} to={paths.products}>
        {t('orders.browse')}
      </Button>
    </EmptyState>
  )
}

function NothingFound({ onClear }: { onClear(): void }) {
  const { t } = useTranslation()
  return (
    <EmptyState icon={IconSearch} title={t('orders.nothing')} text={t('orders.nothingText')}>
      <Button onClick={onClear}>{t('orders.clearSearch')}</Button>
    </EmptyState>
  )
}
