import type { AccountField } from '@olmos/contract/topup-data'
import { useMemo } from 'react'
import { keepText, parseStored, textsIn, useStoredText } from '../../ui/stored-text.ts'
import { type Account, accountText, sentAccount } from './account.ts'

export interface KeptAccount {
  account: Account
  /** The player's name; empty where the game has no names. */
  name: string
}

const most = 3

/** Accounts that were topped up from this browser, the latest first. They can be forgotten. */
export function useKeptAccounts(slug: string, fields: readonly AccountField[]) {
  const name = `accounts:${slug}`
  const text = useStoredText('always', name)
  const accounts = useMemo(() => accountsIn(text, fields), [text, fields])
  const write = (kept: KeptAccount[]) =>
    keepText('always', name, kept.length === 0 ? '' : JSON.stringify(kept.slice(0, most)))
  const without = (account: Account) => {
    const forgotten = accountText(fields, account)
    return accounts.filter((kept) => accountText(fields, kept.account) !== forgotten)
  }
  return {
    accounts,
    keep: (kept: KeptAccount) => write([kept, ...without(kept.account)]),
    forget: (account: Account) => write(without(account)),
  }
}

/**
 * Reads kept accounts as far as the game still asks for them. Until games had several fields an account was kept as one
 * text, `id`, which is what the first of them asks for.
 */
export function accountsIn(text: string, fields: readonly AccountField[]): KeptAccount[] {
  const kept = parseStored(text)
  if (!Array.isArray(kept)) return []
  return kept.flatMap((entry: Record<string, unknown> | null) => {
    const [first] = fields
    const values = first && typeof entry?.id === 'string' ? { [first.key]: entry.id } : textsIn(entry?.account)
    const account = sentAccount(fields, values)
    if (typeof entry?.name !== 'string' || Object.keys(account).length === 0) return []
    return [{ account, name: entry.name }]
  })
}
