import type { ListedOrder } from '@olmos/contract/orders'
import type { CSSProperties, ReactNode } from 'react'
import { NavLink } from 'react-router'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { paths } from '../../paths.ts'
import { Artwork } from '../../ui/Artwork.tsx'
import { MethodName } from './MethodName.tsx'
import classes from './OrderCard.module.css'
import { OrderLabel } from './OrderLabel.tsx'
import { findTarget, listTitles, OrderName } from './OrderName.tsx'

interface OrderCardProps {
  order: ListedOrder
  /** Buys it again. */
  again: ReactNode
}

/** An order in the list: what it was and for whom, when, for how much, and how it stands. Leads to the order. */
export function OrderCard({ order, again }: OrderCardProps) {
  const { t } = useTranslation()
  const [first] = order.items
  const target = findTarget(order.items)
  const titles = listTitles(order.items)
  return (
    <article className={classes.card} style={{ '--olmos-product': first?.product.color } as CSSProperties}>
      <NavLink to={paths.order(order.id)} viewTransition className={classes.order}>
        <span className={classes.row}>
          <Artwork src={first?.product.image_url ?? ''} className={`product-art ${classes.art}`} />
          <span className={classes.words}>
            <span className={classes.top}>
              <span className={classes.name}>
                <OrderName items={order.items} />
              </span>
              <Sum order={order} />
            </span>
            {titles.length === 1 && <span className={classes.soft}>{titles}</span>}
            {target ? (
              <TopupTarget topup={target} />
            ) : (
              order.items.slice(0, 3).map((item) => <TopupTarget key={item.id} topup={item.topup_data} />)
            )}
            <span className={classes.soft}>
              <RecentMoment at={order.created_at} /> · <MethodName order={order} />
            </span>
            <span className={classes.soft}>{t('orders.number', { id: order.id })}</span>
          </span>
        </span>
        <span className={classes.state}>
          <OrderLabel order={order} />
        </span>
      </NavLink>
      <span className={classes.again}>{again}</span>
    </article>
  )
}

function Sum({ order }: { order: ListedOrder }) {
  const { t } = useTranslation()
  const language = useLanguage()
  // What a code stands for was paid when it was bought.
  if (order.payment_method === 'code') return null
  // Nothing was charged for an order that nobody paid in time.
  const isPaid = order.status !== 'expired'
  const charge = isPaid ? order.paid_by?.charge : null
  return (
    <span className={classes.sum}>
      <b>
        <Amount value={order.total_amount} currency={order.currency} />
      </b>
      {order.from_balance > 0 && isPaid && (
        <span className={classes.soft}>
          <br />
          {t('receipt.fromBalance', { amount: formatAmount(order.from_balance, order.currency, language) })}
        </span>
      )}
      {charge && (
        <span className={classes.soft}>
          <br />
          <Amount value={charge.amount} currency={charge.currency} />
        </span>
      )}
    </span>
  )
}
