import { Anchor, Button, Stack, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { failureText } from '../api/failure-text.ts'
import { QueryFailed, QueryView } from '../api/QueryView.tsx'
import { FillingState } from '../features/orders/FillingState.tsx'
import { OrderFacts } from '../features/orders/OrderFacts.tsx'
import { OrderPanel } from '../features/orders/OrderPanel.tsx'
import { useReceipt } from '../features/orders/orders.queries.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { Message } from '../ui/Message.tsx'
import { Surface } from '../ui/Surface.tsx'
import { CustomerPage } from './CustomerPage.tsx'
import { BuyAgain } from './orders/BuyAgain.tsx'
import { PanelSkeleton } from './orders/OrderSkeletons.tsx'
import classes from './Receipt.module.css'

export default function Receipt() {
  const { t } = useTranslation()
  const id = (useParams().id ?? '').toUpperCase()
  const waiting = (
    <Frame>
      <h1 className="visually-hidden">{t('orders.number', { id })}</h1>
      <PanelSkeleton />
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
    <Frame>
      <h1 className="visually-hidden">{t('orders.number', { id })}</h1>
      <QueryFailed title={t('receipt.failed')} text={failureText(t, error)} query={query} />
    </Frame>
  )
  return (
    <QueryView query={query} skeleton={waiting} failed={failed}>
      {(order) =>
        order.purpose === 'balance' ? (
          <Frame isFilling>
            <Title order={1}>{t('fill.number', { id })}</Title>
            <div className={classes.filling}>
              <FillingState order={order} />
              <Surface>
                <OrderFacts order={order} />
              </Surface>
            </div>
          </Frame>
        ) : (
          <Frame>
            <OrderPanel order={order} level={1}>
              <div className="no-print">
                <BuyAgain order={order} />
              </div>
            </OrderPanel>
          </Frame>
        )
      }
    </QueryView>
  )
}

/** A filling of the balance is looked up in the profile, where the balance is. */
function Frame({ isFilling = false, children }: { isFilling?: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Anchor component={Link} to={isFilling ? paths.profile : paths.orders} className={`no-print ${classes.back}`}>
        <IconArrowLeft size={18} aria-hidden />
        {t(isFilling ? 'fill.toBalance' : 'receipt.back')}
      </Anchor>
      {children}
    </Stack>
  )
}

function NoSuchOrder() {
  const { t } = useTranslation()
  return (
    <Message title={t('receipt.notFound')} text={t('receipt.notFoundText')} drawing="empty">
      <Button component={Link} to={paths.orders}>
        {t('receipt.back')}
      </Button>
    </Message>
  )
}
