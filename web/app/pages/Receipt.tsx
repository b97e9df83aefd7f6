import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { isOnlyTopups } from '../features/orders/order.rules.ts'
import { useReceipt } from '../features/orders/orders.queries.ts'
import { ReceiptCodes } from '../features/orders/ReceiptCodes.tsx'
import { ReceiptHead } from '../features/orders/ReceiptHead.tsx'
import { ReceiptSkeleton } from '../features/orders/ReceiptSkeleton.tsx'
import { ReceiptState } from '../features/orders/ReceiptState.tsx'
import { ReceiptTopups } from '../features/orders/ReceiptTopups.tsx'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
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
  const { data: order, error, isPending, isFetching, refetch } = useReceipt(id)

  if (isPending) return waiting
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoSuchOrder />
  if (!order) {
    return (
      <Frame id={id}>
        <LoadFailed
          title={t('receipt.failed')}
          text={t('loading.failedText')}
          retry={{ label: t('loading.retry'), isBusy: isFetching, onClick: refetch }}
        />
      </Frame>
    )
  }
  const onlyTopups = isOnlyTopups(order)
  return (
    <Frame id={id}>
      <ReceiptHead order={order} />
      {/* Of top-ups on their way the steps tell more. */}
      {!(onlyTopups && order.status === 'pending') && <ReceiptState order={order} />}
      {onlyTopups ? <ReceiptTopups order={order} /> : <ReceiptCodes order={order} />}
    </Frame>
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
