import { Skeleton } from '@mantine/core'
import { Suspense, useState } from 'react'
import { late } from '../../ui/late.ts'
import { mostFromBalance, offeredPart, type PartFieldProps, type PartState, readPart, restAfter } from './part.rules.ts'

/** Few pay in parts, and it is as much as the rest of the page. */
const LatePartField = late(async () => (await import('./PartField.tsx')).PartField)

interface OwnBalance {
  /** In major units, of the currency of the order. */
  available: number
  /** What is reserved besides for orders that wait. */
  reserved: number
}

/**
 * How much of a total the balance pays beside another way: as much as is offered, until something else is typed. What is
 * reserved for an order that waits is counted, because a new press for it makes that one void first.
 */
export function usePart(total: number, { available, reserved }: OwnBalance): PartState {
  const [chosen, setChosen] = useState<boolean>()
  const [changed, setChanged] = useState<string>()
  const most = mostFromBalance(total, available + reserved)
  // The part of the order that waits comes first, so that a new try is about that order.
  const offered = reserved > 0 && reserved <= most ? reserved : offeredPart(total, available + reserved)
  const isOn = most > 0 && (chosen ?? reserved > 0)
  const typed = changed ?? offered.toFixed(2)
  const amount = isOn ? readPart(typed, most) : 0
  return {
    most,
    offered,
    isOn,
    typed,
    amount,
    rest: restAfter(total, amount ?? 0),
    switch: setChosen,
    type: setChanged,
    reset() {
      setChosen(undefined)
      setChanged(undefined)
    },
  }
}

/** Offers to pay a part of the order from the balance; nothing where the balance has nothing. */
export const PartFromBalance = (props: PartFieldProps) =>
  props.part.most > 0 && (
    <Suspense fallback={<Skeleton height={24} radius={0} />}>
      <LatePartField {...props} />
    </Suspense>
  )
