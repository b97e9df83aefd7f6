import type { TopupService } from '@olmos/contract/topup-data'
import { useMemo } from 'react'
import { keepText, parseStored, useStoredText } from './stored-text.ts'

export interface Account {
  /** A player ID, or a Steam login. */
  id: string
  /** The player's name; empty where the service has no names. */
  name: string
}

const most = 3
const toName = (service: TopupService) => `accounts:${service}`

/** Accounts that were topped up from this browser, the latest first. They can be forgotten. */
export function useKeptAccounts(service: TopupService) {
  const text = useStoredText('always', toName(service))
  const accounts = useMemo(() => accountsIn(text), [text])
  const write = (kept: Account[]) =>
    keepText('always', toName(service), kept.length === 0 ? '' : JSON.stringify(kept.slice(0, most)))
  const without = (id: string) => accounts.filter((account) => account.id !== id)
  return {
    accounts,
    keep: (account: Account) => write([account, ...without(account.id)]),
    forget: (id: string) => write(without(id)),
  }
}

const isAccount = (value: unknown): value is Account =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Account).id === 'string' &&
  typeof (value as Account).name === 'string'

export function accountsIn(text: string): Account[] {
  const kept = parseStored(text)
  return Array.isArray(kept) ? kept.filter(isAccount) : []
}
