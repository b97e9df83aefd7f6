import { createInstance } from 'i18next'
import { ru as admin } from '../../web/app/admin/i18n/ru.ts'
import { ru as shop } from '../../web/app/i18n/ru.ts'
import type { TextKey } from '../../web/app/i18n/texts.ts'

const texts = createInstance()
await texts.init({
  lng: 'ru',
  resources: { ru: { translation: { ...shop, ...admin } } },
  interpolation: { escapeValue: false },
  initAsync: false,
})

/** A text as the Russian pages show it: journeys name it by its key, so that it can be rewritten without them. */
export const ru = (key: TextKey, values: Record<string, string | number> = {}): string =>
  String(texts.t(key, values as never))
