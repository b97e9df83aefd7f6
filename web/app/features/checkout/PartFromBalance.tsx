import { Checkbox, Skeleton, Stack } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import { Suspense, useState } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { late } from '../../ui/late.ts'
import classes from './Checkout.module.css'
import { mostFromBalance, offeredPart, readPart, restAfter } from './part.rules.ts'

/** The name of the field in the page, by which it gets the focus. */
export const partFieldName = 'part'

/** Few pay in parts, and it is as much as the rest of the page. */
const LateMoneyInput = late(async () => (await import('../../money/MoneyInput.tsx')).MoneyInput)

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

interface PartFromBalanceProps {
  part: PartState
  currency: Currency
  isDisabled: boolean
}

/** Offers to pay a part of the order from the balance; nothing where the balance has nothing. */
export function PartFromBalance({ part, currency, isDisabled }: PartFromBalanceProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const shown = (amount: number) => formatAmount(amount, currency, language)
  if (part.most === 0) return null
  const isWrong = part.amount === undefined
  return (
    <Stack gap="xs">
      <Checkbox
        checked={part.isOn}
        disabled={isDisabled}
        label={t('checkout.usePart', { amount: shown(part.amount || part.offered) })}
        onChange={(event) => part.switch(event.currentTarget.checked)}
      />
      {part.isOn && (
        <Suspense fallback={<Skeleton className={classes.field} radius={0} />}>
          <LateMoneyInput
            label={t('checkout.part')}
            description={t('checkout.partRest', { rest: shown(part.rest) })}
            currency={currency}
            name={partFieldName}
            value={part.typed}
            disabled={isDisabled}
            error={isWrong ? t('checkout.partRange', { most: shown(part.most) }) : undefined}
            onChange={(value) => part.type(String(value))}
          />
        </Suspense>
      )}
    </Stack>
  )
}
