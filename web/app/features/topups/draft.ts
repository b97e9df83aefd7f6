import type { SteamCurrency } from '@olmos/contract/topup-data'
import { useMemo } from 'react'
import { keepText, parseStored, readText, textsIn, useStoredText } from '../../ui/stored-text.ts'
import type { Account } from './account.ts'
import type { Selection } from './combination.ts'

/** What was filled in on the page of a top-up, however it is priced. */
export interface TopupDraft {
  account: Account
  /** Whether somebody typed in the fields; an account that is chosen from those used before is shown in one line. */
  isTyped: boolean
  /** Whether the account was found as it is here. */
  isFound: boolean
  /** Empty where nobody tells names. */
  playerName: string
  /** 0 while none is chosen. */
  offerId: number
  /** The amount that offers are combined for; empty when they are chosen by hand. */
  combinedAmount: string
  selection: Selection
  /** What is to arrive, in `inputCurrency`, as it was typed. */
  amount: string
  inputCurrency: SteamCurrency
}

const empty: TopupDraft = {
  account: {},
  isTyped: false,
  isFound: false,
  playerName: '',
  offerId: 0,
  combinedAmount: '',
  selection: {},
  amount: '',
  inputCurrency: 'rub',
}

const toName = (slug: string) => `topup-draft:${slug}`

/**
 * Keeps what was typed on a page for the visit, so that it is still there after logging in or coming back from the
 * checkout. Codes never go in here.
 */
export function useDraft(slug: string) {
  const text = useStoredText('visit', toName(slug))
  const draft = useMemo(() => draftIn(text), [text])
  const change = (changed: Partial<TopupDraft>) => {
    // Several fields may be filled in at once, before the page has rendered the first of them.
    const kept = draftIn(readText('visit', toName(slug)))
    const account = { ...kept.account, ...changed.account }
    keepText('visit', toName(slug), JSON.stringify({ ...kept, ...changed, account }))
  }
  return [draft, change] as const
}

/** Fills in the page of a top-up that is about to be opened; what was typed there before is gone. */
export const keepDraft = (slug: string, filled: Partial<TopupDraft>): void =>
  keepText('visit', toName(slug), JSON.stringify({ ...empty, ...filled }))

/** Clears the draft after buying. */
export const forgetDraft = (slug: string): void => keepText('visit', toName(slug), '')

/** Takes what fits; an older version of the page may have kept something else. */
export function draftIn(text: string): TopupDraft {
  const kept = parseStored(text)
  if (typeof kept !== 'object' || kept === null) return empty
  const fitting = Object.entries(kept).filter(
    ([name, value]) => name in empty && typeof value === typeof empty[name as keyof TopupDraft] && value !== null,
  )
  const draft: TopupDraft = { ...empty, ...Object.fromEntries(fitting) }
  return { ...draft, account: textsIn(draft.account) }
}
