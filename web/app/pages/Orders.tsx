import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import type { OrderShelf } from '@olmos/contract/orders'
import { IconSearch } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { useAddress } from '../address.ts'
import { failureText } from '../api/failure-text.ts'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { OrderCard } from '../features/orders/OrderCard.tsx'
import { type OrderFilter, useOrderedProducts, useOrders } from '../features/orders/orders.queries.ts'
import { PaidOrder } from '../features/orders/PaidOrder.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { WEB_LIMITS } from '../limits.ts'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CustomerPage } from './CustomerPage.tsx'
import classes from './Orders.module.css'
import { BuyAgain } from './orders/BuyAgain.tsx'
import { OrdersSkeleton, PanelSkeleton } from './orders/OrderSkeletons.tsx'

export default function Orders() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('orders.title')} skeleton={<OrdersSkeleton />}>
      <OwnOrders />
    </CustomerPage>
  )
}

/** The checkout names the order that was just paid in the navigation state, which a reload keeps. */
const readPaid = (state: unknown): string | undefined => {
  const paid = typeof state === 'object' && state !== null && 'paid' in state ? state.paid : undefined
  return typeof paid === 'string' ? paid : undefined
}

function OwnOrders() {
  const { t } = useTranslation()
  const kept = useLocation().state
  const paid = readPaid(kept)
  const [params, change] = useAddress(kept)
  const search = params.get('search') ?? ''
  const product = params.get('product') || undefined
  const state = shelves.find((one) => one === params.get('state'))
  const filter = { search: search.trim().toUpperCase(), state, product }
  return (
    <>
      {paid && (
        <section className={classes.paid} aria-label={t('orders.paidNow')}>
          <PaidOrder id={paid} skeleton={<PanelSkeleton />} />
        </section>
      )}
      <div className={classes.finding}>
        <TextInput
          type="search"
          className={classes.search ?? ''}
          aria-label={t('orders.search')}
          placeholder={t('orders.searchHint')}
          leftSection={<IconSearch size={18} aria-hidden />}
          size="md"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={100}
          value={search}
          onChange={(event) => change({ search: event.currentTarget.value })}
        />
        <ProductPicker value={product} onChange={(slug) => change({ product: slug })} />
      </div>
      <OrderList
        filter={filter}
        paid={paid}
        onState={(next) => change({ state: next })}
        onClear={() => change({ search: undefined, state: undefined, product: undefined })}
      />
    </>
  )
}

const shelves: readonly OrderShelf[] = ['open', 'completed', 'refunded', 'expired']

/** Asks which product is looked for; nothing where all orders are of one. */
function ProductPicker({ value, onChange }: { value: string | undefined; onChange(slug: string | undefined): void }) {
  const { t } = useTranslation()
  const { data: products = [] } = useOrderedProducts()
  if (products.length < 2) return null
  return (
    <NativeSelect
      aria-label={t('orders.product')}
      size="md"
      className={classes.picker ?? ''}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[
        { value: '', label: t('orders.allProducts') },
        ...products.map(({ slug, title }) => ({ value: slug, label: title })),
      ]}
    />
  )
}

interface OrderListProps {
  filter: OrderFilter
  /** Stands above the list already. */
  paid: string | undefined
  onState(state: OrderShelf | undefined): void
  onClear(): void
}

function OrderList({ filter, paid, onState, onClear }: OrderListProps) {
  const { t } = useTranslation()
  const query = useOrders(filter)
  const { isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const isFiltered = filter.search !== '' || filter.state !== undefined || filter.product !== undefined
  const retry = () => (isFetchNextPageError ? fetchNextPage() : refetch())
  const failed = (
    <QueryFailed title={t('orders.failed')} text={failureText(t, query.error)} query={query} onRetry={retry} />
  )
  const areMany = (query.data?.total ?? 0) > WEB_LIMITS.ordersPageSize

  return (
    <>
      {(areMany || filter.state) && <Shelves chosen={filter.state} onChoose={onState} />}
      <QueryView
        query={query}
        skeleton={<OrdersSkeleton />}
        failed={failed}
        empty={isFiltered ? <NothingFound filter={filter} onClear={onClear} /> : <NoOrders />}
        isEmpty={({ orders }) => orders.length === 0}
      >
        {({ orders }) => (
          <div aria-busy={isFetching}>
            {/* What was shown stays; it may be stale, or not all. */}
            {query.isError && !isFetchNextPageError && failed}
            <ul className={classes.list}>
              {orders
                .filter(({ id }) => id !== paid)
                .map((order) => (
                  <li key={order.id}>
                    <OrderCard order={order} again={<BuyAgain order={order} />} />
                  </li>
                ))}
            </ul>
            {isFetchNextPageError && failed}
            {hasNextPage && !isFetchNextPageError && (
              <Group justify="center" mt="lg">
                <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
                  {t('orders.more')}
                </Button>
              </Group>
            )}
          </div>
        )}
      </QueryView>
    </>
  )
}

function Shelves({ chosen, onChoose }: { chosen: OrderShelf | undefined; onChoose: OrderListProps['onState'] }) {
  const { t } = useTranslation()
  return (
    <fieldset aria-label={t('orders.shelf.which')} className={classes.shelves}>
      {[undefined, ...shelves].map((state) => (
        <button
          key={state ?? 'all'}
          type="button"
          className={classes.shelf}
          aria-pressed={state === chosen}
          onClick={() => onChoose(state)}
        >
          {t(`orders.shelf.${state ?? 'all'}`)}
        </button>
      ))}
    </fieldset>
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

function NothingFound({ filter, onClear }: { filter: OrderFilter; onClear(): void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t(filter.search === '' ? 'orders.shelf.nothing' : 'orders.nothing')}
      text={t(filter.search === '' ? 'orders.shelf.nothingText' : 'orders.nothingText')}
    >
      <Button onClick={onClear}>{t('orders.clearSearch')}</Button>
    </EmptyState>
  )
}
