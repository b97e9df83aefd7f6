import type { Receipt } from '@olmos/contract/orders'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { Artwork } from '../../ui/Artwork.tsx'
import { visitStorage } from '../../ui/browser-storage.ts'
import { Drawing } from '../../ui/Drawing.tsx'
import classes from './OrderBand.module.css'
import { findTarget, listTitles, OrderName } from './OrderName.tsx'
import { allCodes, isOnlyTopups, oneOrMore } from './order.rules.ts'
import { type OrderState, toOrderState } from './situation.ts'

interface OrderBandProps {
  order: Receipt
  /** Heading level: 1 where the order is all there is on the page. */
  level: 1 | 2
  /** Whether it was paid a moment ago: how it stands is said loudest then. */
  isFresh: boolean
}

const drawings: Partial<Record<OrderState, 'waiting' | 'failed' | 'empty'>> = {
  awaiting: 'waiting',
  pending: 'waiting',
  unknown: 'waiting',
  keptBack: 'waiting',
  atOperator: 'waiting',
  declined: 'failed',
  expired: 'empty',
  paidToBalance: 'empty',
  refunded: 'empty',
}

/** What was bought, for whom, and how it stands, in the colour of the game once it is done. */
export function OrderBand({ order, level, isFresh }: OrderBandProps) {
  const state = toOrderState(order)
  const isDone = state === 'ready' || state === 'delivered'
  const isFlooding = useFlood(order.id, isDone, isFresh)
  const drawing = drawings[state]
  const Heading = `h${level}` as const
  const target = findTarget(order.items)
  const titles = listTitles(order.items)
  return (
    <div
      className={classes.band}
      data-level={level}
      data-done={isDone || undefined}
      data-fresh={isFresh || undefined}
      data-flood={isFlooding || undefined}
      data-tone={state === 'declined' ? 'bad' : drawing === 'waiting' ? 'wait' : undefined}
    >
      {drawing ? (
        <span className={classes.gem}>
          <Drawing of={drawing} />
        </span>
      ) : (
        <Artwork src={order.items[0]?.product.image_url ?? ''} isFirst className={`product-art ${classes.art}`} />
      )}
      <div className={classes.words}>
        <div>
          {titles.length === 1 && <p className={classes.title}>{titles}</p>}
          <Heading className={classes.name}>
            <OrderName items={order.items} />
          </Heading>
          {target && <TopupTarget topup={target} isOnColor={isDone} />}
        </div>
        <p className={classes.state} role="status">
          <StateText order={order} state={state} />
        </p>
      </div>
    </div>
  )
}

function StateText({ order, state }: { order: Receipt; state: OrderState }) {
  const { t } = useTranslation()
  const count = allCodes(order).length || order.items.reduce((sum, item) => sum + item.quantity, 0)
  const texts: Record<OrderState, string> = {
    ready: t('receipt.ready', { count: oneOrMore(count) }),
    keptBack: t('receipt.keptBack', { count: oneOrMore(count) }),
    delivered: t('receipt.done'),
    pending: isOnlyTopups(order) ? t('receipt.onItsWay') : t('receipt.pending'),
    unknown: t('receipt.unclear'),
    awaiting: t('receipt.awaiting'),
    declined: t('receipt.declined'),
    expired: t('receipt.expired'),
    paidToBalance: t('receipt.onBalance'),
    atOperator: t('receipt.expired'),
    refunded: t('receipt.refunded'),
    partlyRefunded: t('receipt.partly'),
  }
  return texts[state]
}

/** Whether the colour is to flood in: the order got done in front of the customer, which happens once. */
function useFlood(id: string, isDone: boolean, isFresh: boolean): boolean {
  const name = `flooded:${id}`
  const [wasOpen] = useState(() => (isFresh || !isDone) && visitStorage.getItem(name) === null)
  useEffect(() => {
    if (isDone) visitStorage.setItem(name, 'yes')
  }, [isDone, name])
  return isDone && wasOpen
}
