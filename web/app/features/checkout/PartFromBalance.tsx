import { Skeleton } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import { Suspense, useState } from 'react'
import { late } from '../../ui/late.ts'
import { mostFromBalance, offeredPart, readPart, restAfter } from './part.rules.ts'

/** The name of the field in the page, by which it gets the focus. */
export const partFieldName = 'part'

/** Few pay in parts, and it is as much as the rest of the page. */
const LatePartField = late(async () => (await import('./PartField.tsx')).PartField)

interface PartState {
  /** The most it can be, in major units; 0 where the balance has nothing. */
  most: number
  /** The part that is offered first. */
  offered: number
  isOn: boolean
  /** As it was typed. */
  typed: string
  /** The part that is meant; 0 for none, undefined for what can't be. */
  amount: number | undefined
  /** What is left for the other way. */
  rest: number
  switch(isOn: boolean): void
  type(typed: string): void
  reset(): void
}

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

export interface PartFromBalanceProps {
  part: PartState
  currency: Currency
  isDisabled: boolean
}

/** Offers to pay a part of the order from the balance; nothing where the balance has nothing. */
export const PartFromBalance = (props: PartFromBalanceProps) =>
  props.part.most > 0 && (
    <Suspense fallback={<Skeleton height={24} radius={0} />}>
      <LatePartField {...props} />
    </Suspense>
  )
