import { createInstance } from 'i18next'
import { ru as admin } from '../../web/app/admin/i18n/ru.ts'
import { digitGrouping } from '../../web/app/i18n/digit-grouping.ts'
import { ru as shop } from '../../web/app/i18n/ru.ts'
import type { TextKey } from '../../web/app/i18n/texts.ts'

const texts = createInstance().use(digitGrouping)
texts.init({
  lng: 'ru',
  resources: { ru: { translation: shop } },
  interpolation: { escapeValue: false, alwaysFormat: true },
  initAsync: false,
})
texts.addResourceBundle('ru', 'translation', admin, true)

/**
 * Returns a text as the Russian pages show it: journeys name it by its key, so that it can be rewritten without them. Throws
 * when there is no such text.
 */
export function ru(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = String(texts.t(key, values as never))
  if (text === key) throw new Error(`the dictionary has no ${key}`)
  return text
}
