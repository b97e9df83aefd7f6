import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import type { Receipt as Order } from '@olmos/contract/orders'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { isOnlyTopups } from '../features/orders/order.rules.ts'
import { useReceipt } from '../features/orders/orders.queries.ts'
import { ReceiptCodes } from '../features/orders/ReceiptCodes.tsx'
import { ReceiptHead } from '../features/orders/ReceiptHead.tsx'
import { ReceiptSkeleton } from '../features/orders/ReceiptSkeleton.tsx'
import { ReceiptState } from '../features/orders/ReceiptState.tsx'
import { ReceiptTopups } from '../features/orders/ReceiptTopups.tsx'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'

export default function Receipt() {
  const { t } = useTranslation()
  const id = (useParams().id ?? '').toUpperCase()
  const waiting = (
    <Frame id={id}>
      <ReceiptSkeleton />
    </Frame>
  )
  return (
    <Page>
      <PrivateTitle title={t('receipt.title', { id })} />
      <RequireLogin whileUnknown={waiting}>
        <Contents id={id} waiting={waiting} />
      </RequireLogin>
    </Page>
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
      {(order) => (
        <Frame id={id}>
          <OrderSections order={order} />
        </Frame>
      )}
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

function Frame({ id, children }: { id: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stack maw={760} mx="auto">
      <Anchor component={Link} to={paths.orders} className="no-print">
        <Group gap={6} component="span">
          <IconArrowLeft size={18} />
          {t('receipt.back')}
        </Group>
      </Anchor>
      <Title order={1}>{t('receipt.title', { id })}</Title>
      {children}
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
