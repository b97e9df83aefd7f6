import type { Receipt } from '@olmos/contract/orders'
import { type ReactNode, useState } from 'react'
import { OrderPanel } from './OrderPanel.tsx'
import { useOrderWithoutCodes, useReveal } from './orders.queries.ts'

interface PaidOrderProps {
  id: string
  skeleton: ReactNode
}

/**
 * The order that was paid a moment ago, unfolded. It comes without its codes: they are read, and that is recorded, when
 * its buyer presses a ticket.
 */
export function PaidOrder({ id, skeleton }: PaidOrderProps) {
  const { data: order, isPending } = useOrderWithoutCodes(id)
  const read = useReveal(id)
  const [revealed, setRevealed] = useState<Receipt>()
  if (isPending) return skeleton
  // The list has it, too.
  if (!order) return null
  const reveal = async () => {
    const receipt = await read()
    setRevealed(receipt)
    return receipt
  }
  return <OrderPanel order={revealed ?? order} level={2} isFresh onReveal={revealed ? undefined : reveal} />
}
