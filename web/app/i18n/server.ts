import type { Language } from '@olmos/contract/fields'
import type { ShownShop } from '@olmos/contract/shop'
import { en } from './en.ts'
import { createI18n, type I18n } from './i18n.ts'
import { ru } from './ru.ts'
import { noWords, type OwnWords } from './translate.ts'
import { uz } from './uz.ts'

type Instances = Record<Language, I18n>

const makeInstances = (own: OwnWords): Instances => ({
  ru: createI18n('ru', { texts: [ru], own }),
  en: createI18n('en', { texts: [en], own }),
  uz: createI18n('uz', { texts: [uz], own }),
})

let version = ''
let instances = makeInstances(noWords)

/** One per language, made once for each version of what the owner says: a request changes nothing in it. */
export function serverI18n(language: Language, shop?: ShownShop): I18n {
  if (shop && shop.version !== version) {
    version = shop.version
    instances = makeInstances(shop)
  }
  return instances[language]
}
