import { Anchor, Button, Group, Skeleton, Stack, Title } from '@mantine/core'
import type { Receipt as Order } from '@olmos/contract/orders'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { FillingState } from '../features/orders/FillingState.tsx'
import { isOnlyTopups } from '../features/orders/order.rules.ts'
import { useReceipt } from '../features/orders/orders.queries.ts'
import { ReceiptCodes } from '../features/orders/ReceiptCodes.tsx'
import { ReceiptHead } from '../features/orders/ReceiptHead.tsx'
import { ReceiptState } from '../features/orders/ReceiptState.tsx'
import { ReceiptTopups } from '../features/orders/ReceiptTopups.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { CustomerPage } from './CustomerPage.tsx'

export default function Receipt() {
  const { t } = useTranslation()
  const id = (useParams().id ?? '').toUpperCase()
  const waiting = (
    <Frame id={id}>
      <ReceiptSkeleton />
    </Frame>
  )
  return (
    <CustomerPage title={t('orders.number', { id })} hasHeading={false} skeleton={waiting}>
      <Contents id={id} waiting={waiting} />
    </CustomerPage>
  )
}

function Contents({ id, waiting }: { id: string; waiting: ReactNode }) {
  const { t } = useTranslation()
  const query = useReceipt(id)
  const { error } = query
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoSuchOrder />
  const failed = (
    <Frame id={id}>
      <QueryFailed title={t('receipt.failed')} query={query} />
    </Frame>
  )
  return (
    <QueryView query={query} skeleton={waiting} failed={failed}>
      {(order) =>
        order.purpose === 'balance' ? (
          <Frame id={id} isFilling>
            <ReceiptHead order={order} />
            <FillingState order={order} />
          </Frame>
        ) : (
          <Frame id={id}>
            <OrderSections order={order} />
          </Frame>
        )
      }
    </QueryView>
  )
}

function OrderSections({ order }: { order: Order }) {
  const onlyTopups = isOnlyTopups(order)
  return (
    <>
      <ReceiptHead order={order} />
      {/* The steps of a pending top-up say more. */}
      {!(onlyTopups && order.status === 'pending') && <ReceiptState order={order} />}
      {onlyTopups ? <ReceiptTopups order={order} /> : <ReceiptCodes order={order} />}
    </>
  )
}

/** A filling of the balance is looked up in the profile, where the balance is. */
function Frame({ id, isFilling = false, children }: { id: string; isFilling?: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stack maw={760} mx="auto">
      <Anchor component={Link} to={isFilling ? paths.profile : paths.orders} className="no-print">
        <Group gap={6} component="span">
          <IconArrowLeft size={18} />
          {t(isFilling ? 'fill.toBalance' : 'receipt.back')}
        </Group>
      </Anchor>
      <Title order={1}>{t(isFilling ? 'fill.number' : 'orders.number', { id })}</Title>
      {children}
    </Stack>
  )
}

function ReceiptSkeleton() {
  return (
    <Stack aria-hidden>
      <Skeleton h={104} radius="lg" />
      <Skeleton h={36} w={220} />
      <Skeleton h={280} radius="lg" />
    </Stack>
  )
}

function NoSuchOrder() {
  const { t } = useTranslation()
  return (
    <Message title={t('receipt.notFound')} text={t('receipt.notFoundText')}>
      <Button component={Link} to={paths.orders}>
        {t('receipt.back')}
      </Button>
    </Message>
  )
}
