import type { ParseKeys } from 'i18next'
import type { en } from './en.ts'

/**
 * The keys that `t` takes, and what each text wants filled in, are those of the English texts; the admin area adds its own.
 * See docs/decisions/022.
 */
declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

/** What `t` takes, without the endings of plurals. */
export type TextKey = ParseKeys

/** English texts in a language that has other plural forms: not one key may be missing, and none may be left over. */
export type Translation<Texts, Plural extends string> = {
  [Key in keyof Texts as Key extends `${infer Stem}_${'one' | 'other'}`
    ? `${Stem}_${Plural}`
    : Key]: Texts[Key] extends string ? string : Translation<Texts[Key], Plural>
}
