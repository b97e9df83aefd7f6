import type { TopupService } from '@olmos/contract/topup-data'
import { useMemo } from 'react'
import { keepText, parseStored, readText, useStoredText } from './stored-text.ts'

const toName = (service: TopupService) => `topup-draft:${service}`

/**
 * Keeps what was typed on a page for the visit, so that it is still there after logging in or coming back from the
 * checkout. Codes never go in here.
 */
export function useDraft<Draft extends object>(service: TopupService, empty: Draft) {
  const text = useStoredText('visit', toName(service))
  const draft = useMemo(() => filledFrom(empty, parseStored(text)), [empty, text])
  const change = (changed: Partial<Draft>) => {
    // Several fields may be filled in at once, before the page has rendered the first of them.
    const kept = filledFrom(empty, parseStored(readText('visit', toName(service))))
    keepText('visit', toName(service), JSON.stringify({ ...kept, ...changed }))
  }
  return [draft, change] as const
}

/** Clears the draft after buying. */
export const forgetDraft = (service: TopupService): void => keepText('visit', toName(service), '')

/** Takes what fits; an older version of the page may have kept something else. */
export function filledFrom<Draft extends object>(empty: Draft, kept: unknown): Draft {
  if (typeof kept !== 'object' || kept === null) return empty
  const fitting = Object.entries(kept).filter(
    ([name, value]) => name in empty && typeof value === typeof empty[name as keyof Draft] && value !== null,
  )
  return { ...empty, ...Object.fromEntries(fitting) }
}
