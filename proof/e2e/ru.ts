import { ru as admin } from '../../web/app/admin/i18n/ru.ts'
import { ru as shop } from '../../web/app/i18n/ru.ts'
import type { TextKey } from '../../web/app/i18n/texts.ts'
import { createTranslate } from '../../web/app/i18n/translate.ts'

const t = createTranslate('ru', [shop, admin])

/**
 * Returns a text as the Russian pages show it: journeys name it by its key, so that it can be rewritten without them. Throws
 * when there is no such text.
 */
export function ru(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = String(t(key, values as never))
  if (text === key) throw new Error(`the dictionary has no ${key}`)
  return text
}
