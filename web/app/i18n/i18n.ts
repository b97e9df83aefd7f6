import type { Language } from '@olmos/contract/fields'
import type { TFunction } from 'i18next'
import { createTranslate, noWords, type OwnWords, type Texts } from './translate.ts'

/** The language a page is shown in, and its `t`. */
interface Shown {
  language: Language
  t: TFunction
}

/** The texts of a page that are here, and which language it is shown in. */
export interface I18n {
  /** Returns another object after each change. */
  current(): Shown
  /** Adds texts of a language to those that are here, or changes nothing when they were added before. */
  add(language: Language, texts: Texts): void
  show(language: Language): void
  /** Calls back after each change; returns what ends that. */
  subscribe(listener: () => void): () => void
}

interface Beginning {
  texts?: readonly Texts[]
  own?: OwnWords
}

export function createI18n(language: Language, { texts = [], own = noWords }: Beginning = {}): I18n {
  const known = new Map<Language, readonly Texts[]>([[language, texts]])
  const listeners = new Set<() => void>()
  let shown: Shown = { language, t: createTranslate(language, texts, own) }
  const renew = (next: Language) => {
    shown = { language: next, t: createTranslate(next, known.get(next) ?? [], own) }
    for (const listener of listeners) listener()
  }
  return {
    current: () => shown,
    add(added, part) {
      const parts = known.get(added) ?? []
      if (parts.includes(part)) return
      known.set(added, [...parts, part])
      if (added === shown.language) renew(added)
    },
    show: renew,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
