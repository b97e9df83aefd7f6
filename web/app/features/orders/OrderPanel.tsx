import type { Receipt } from '@olmos/contract/orders'
import type { CSSProperties, ReactNode } from 'react'
import { inkOn } from '../../ui/colour.ts'
import { OrderBand } from './OrderBand.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { OrderNote } from './OrderNote.tsx'
import classes from './OrderPanel.module.css'
import { isOnlyTopups } from './order.rules.ts'
import { ReceiptCodes } from './ReceiptCodes.tsx'
import { ReceiptTopups } from './ReceiptTopups.tsx'

interface OrderPanelProps {
  order: Receipt
  level: 1 | 2
  /** Whether it was paid a moment ago. */
  isFresh?: boolean
  /** Reads the order with its codes, where it came without them; without this it has them. */
  onReveal?: (() => Promise<Receipt>) | undefined
  /** What can be done with the order as a whole. */
  children?: ReactNode
}

/** An order, unfolded: how it stands, its steps or its tickets, and what there is to know of it. */
export function OrderPanel({ order, level, isFresh = false, onReveal, children }: OrderPanelProps) {
  const color = order.items[0]?.product.color ?? '#6b7280'
  return (
    <div
      className={`cut ${classes.panel}`}
      style={{ '--olmos-product': color, '--olmos-on-product': inkOn(color) } as CSSProperties}
    >
      <OrderBand order={order} level={level} isFresh={isFresh} />
      <div className={classes.body}>
        <div className={classes.main}>
          <OrderNote order={order} />
          {isOnlyTopups(order) ? (
            <ReceiptTopups order={order} />
          ) : (
            <ReceiptCodes order={order} onReveal={onReveal} isBrief={isFresh} />
          )}
        </div>
        <div className={classes.side}>
          <OrderFacts order={order} isLinked={isFresh} />
          {children}
        </div>
      </div>
    </div>
  )
}
