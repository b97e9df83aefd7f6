import type { Language } from '@olmos/contract/fields'

/** What a page came with, and the language its texts are in. */
export interface InLanguage<Data> {
  language: Language
  data: Data
}

/**
 * The first data of a query whose texts are in a language: what the page came with counts only in the language it came
 * in. In another one it would pass for an answer, and stay until it is stale.
 */
export const initialIn = <Data>(
  language: Language,
  initial: InLanguage<Data | undefined>,
): { initialData?: Data | undefined } =>
  initial.data !== undefined && initial.language === language ? { initialData: initial.data } : {}
