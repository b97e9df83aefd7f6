import { Button, Grid, Group, Stack } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { IconShoppingCart } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { QueryView } from '../api/QueryView.tsx'
import { CartLine } from '../features/cart/CartLine.tsx'
import { CartSkeleton } from '../features/cart/CartSkeleton.tsx'
import { CartSummary } from '../features/cart/CartSummary.tsx'
import { ClearCart } from '../features/cart/ClearCart.tsx'
import { useCart } from '../features/cart/cart.queries.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

export default function Cart() {
  const { t } = useTranslation()
  return (
    <Page title={t('cart.title')}>
      <PrivateTitle title={t('cart.title')} />
      <RequireLogin whileUnknown={<CartSkeleton />}>
        <Contents />
      </RequireLogin>
    </Page>
  )
}

function Contents() {
  const { t } = useTranslation()
  const empty = (
    <EmptyState icon={IconShoppingCart} title={t('cart.empty')} text={t('cart.emptyText')}>
      <Button component={Link} to={paths.products}>
        {t('cart.continue')}
      </Button>
    </EmptyState>
  )
  return (
    <QueryView query={useCart()} skeleton={<CartSkeleton />} failed={t('cart.failed')} empty={empty}>
      {(items) => <Items items={items} />}
    </QueryView>
  )
}

function Items({ items }: { items: CartItem[] }) {
  const { t } = useTranslation()
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <li key={item.id}>
              <CartLine item={item} />
            </li>
          ))}
        </Stack>
        <Group justify="space-between" mt="sm" gap={0}>
          <Button component={Link} to={paths.products} variant="subtle" px={8}>
            {t('cart.continue')}
          </Button>
          <ClearCart />
        </Group>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <CartSummary items={items} />
      </Grid.Col>
    </Grid>
  )
}
