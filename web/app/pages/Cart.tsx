import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { CartItem } from '@olmos/contract/cart'
import { Link } from 'react-router'
import { QueryView } from '../api/QueryView.tsx'
import { CartLine } from '../features/cart/CartLine.tsx'
import { useCart, useClearCart } from '../features/cart/cart.queries.ts'
import { countAll, isAvailable } from '../features/cart/cart.rules.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../money/Amount.tsx'
import { ConvertedNote } from '../money/ConvertedNote.tsx'
import { useConversion } from '../money/conversion.ts'
import { isConvertedCurrency, toOrderCurrency } from '../money/currency.ts'
import { toTotal } from '../money/total.ts'
import { paths } from '../paths.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Surface } from '../ui/Surface.tsx'
import { ThumbFrame } from '../ui/ThumbFrame.tsx'
import { CustomerPage } from './CustomerPage.tsx'

export default function Cart() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('cart.title')} skeleton={<CartSkeleton />}>
      <Contents />
    </CustomerPage>
  )
}

function Contents() {
  const { t } = useTranslation()
  const empty = (
    <EmptyState title={t('cart.empty')} text={t('cart.emptyText')}>
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
    <ThumbFrame panel={<CartSummary items={items} />} bar={<CheckoutBar items={items} />}>
      <div>
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <li key={item.id}>
              <CartLine item={item} />
            </li>
          ))}
        </Stack>
        <Group justify="space-between" mt="sm" gap={0} style={{ marginInline: '-9px' }}>
          <Button component={Link} to={paths.products} variant="subtle" px={8}>
            {t('cart.continue')}
          </Button>
          <ClearCart />
        </Group>
      </div>
    </ThumbFrame>
  )
}

/** Subtotals in the currencies of orders, and before them one in what prices are shown in. */
function CartSummary({ items }: { items: CartItem[] }) {
  const { t } = useTranslation()
  const { shown, choices, convert } = useConversion()
  const orders = toOrderCurrency(shown)

  return (
    <Surface radius={0} bd={0}>
      <Stack gap="xs" component="section" aria-label={t('cart.summary')}>
        <Text c="dimmed">{t('cart.count', { count: countAll(items) })}</Text>
        {isConvertedCurrency(shown) && (
          <Row label={t(`converted.subtotal.${shown}`)} isMain>
            <Amount {...convert(toTotal(items, orders), orders)} />
          </Row>
        )}
        {choices.includes('RUB') && (
          <Row label={t('cart.subtotalRub')} isMain={shown === 'RUB'}>
            <Amount value={toTotal(items, 'RUB')} currency="RUB" isRounded />
          </Row>
        )}
        {choices.includes('USD') && (
          <Row label={t('cart.subtotalUsd')} isMain={shown === 'USD'}>
            <Amount value={toTotal(items, 'USD')} currency="USD" />
          </Row>
        )}
        <ConvertedNote />
      </Stack>
    </Surface>
  )
}

/** What all of it comes to, and the way on, or what stands in its way. */
function CheckoutBar({ items }: { items: CartItem[] }) {
  const { t } = useTranslation()
  const { shown, convert } = useConversion()
  const orders = toOrderCurrency(shown)
  const canCheckOut = items.every(isAvailable)
  return (
    <>
      {/* Where the subtotals stand right above, they say it. */}
      <Group justify="space-between" align="baseline" mb={8} gap="xs" {...(canCheckOut && { hiddenFrom: 'sm' })}>
        <Text c={canCheckOut ? 'dimmed' : 'var(--olmos-bad)'} size="sm" flex={1}>
          {canCheckOut ? t('checkout.total') : t('cart.notAvailable')}
        </Text>
        <Text fw={700} size="lg">
          <Amount {...convert(toTotal(items, orders), orders)} isRounded />
        </Text>
      </Group>
      {canCheckOut ? (
        <Button component={Link} to={paths.checkout} size="md" fullWidth>
          {t('cart.checkout')}
        </Button>
      ) : (
        <Button size="md" fullWidth disabled>
          {t('cart.checkout')}
        </Button>
      )}
    </>
  )
}

function Row({ label, isMain, children }: { label: string; isMain: boolean; children: React.ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text c="dimmed">{label}</Text>
      <Text fw={isMain ? 700 : 500} size={isMain ? 'xl' : 'md'} aria-live="polite">
        {children}
      </Text>
    </Group>
  )
}

function ClearCart() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  const clear = useClearCart()

  const confirm = () => {
    close()
    clear.mutate()
  }

  return (
    <>
      <Button variant="subtle" color="gray" px={8} aria-haspopup="dialog" onClick={open}>
        {t('cart.clear')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        onConfirm={confirm}
        texts={{
          title: t('cart.clearTitle'),
          text: t('cart.clearText'),
          confirm: t('cart.clear'),
          cancel: t('cart.keep'),
        }}
      />
    </>
  )
}

/** The cart and what it comes to, on their way. */
function CartSkeleton() {
  return (
    <div aria-hidden>
      <ThumbFrame panel={<Skeleton h={152} />}>
        <Lines />
      </ThumbFrame>
    </div>
  )
}

function Lines() {
  return (
    <Stack gap={2}>
      {[1, 2].map((line) => (
        <Surface key={line} p="sm" radius={0} bd={0}>
          <Group wrap="nowrap" gap="sm" align="flex-start">
            <Skeleton w={88} h={66} radius="sm" style={{ flexShrink: 0 }} />
            <Box flex={1}>
              <Skeleton h={18} w="70%" mb={10} />
              <Skeleton h={14} w="40%" />
            </Box>
          </Group>
          <Group justify="space-between" mt="sm">
            <Skeleton h={40} w={124} />
            <Skeleton h={20} w={96} />
          </Group>
        </Surface>
      ))}
    </Stack>
  )
}
