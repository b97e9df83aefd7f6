import type { ListedUser } from '@olmos/contract/users'

export type Balances = Pick<ListedUser, 'balanceUsd' | 'balanceRub'>

/** Balances as their fields have them, or as the store does. */
type Shown = Readonly<Record<keyof Balances, number | string>>

const balances = ['balanceUsd', 'balanceRub'] as const

/** Only what was changed of what the fields showed; none where nothing was. */
export const toBalanceChange = (values: Shown, shown: Shown): Partial<Balances> => {
  const changed = balances.filter((balance) => Number(values[balance]) !== Number(shown[balance]))
  return Object.fromEntries(changed.map((balance) => [balance, Number(values[balance])]))
}

/** Only what those were that are changed: a purchase in the other currency is no reason to refuse. */
export const toSeen = (change: Partial<Balances>, seen: Balances): Partial<Balances> =>
  Object.fromEntries(balances.filter((balance) => balance in change).map((balance) => [balance, seen[balance]]))
