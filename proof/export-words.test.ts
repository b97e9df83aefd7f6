import { languages } from '@olmos/contract/fields'
import { expect, test } from 'vitest'
import { exportWords } from '../server/src/modules/operations/export-texts.ts'
import { en as adminEn } from '../web/app/admin/i18n/en.ts'
import { ru as adminRu } from '../web/app/admin/i18n/ru.ts'
import { uz as adminUz } from '../web/app/admin/i18n/uz.ts'
import { en } from '../web/app/i18n/en.ts'
import { ru } from '../web/app/i18n/ru.ts'
import { uz } from '../web/app/i18n/uz.ts'

const pages = {
  en: { ...en.orders, ...adminEn.admin, kind: en.profile.kind },
  ru: { ...ru.orders, ...adminRu.admin, kind: ru.profile.kind },
  uz: { ...uz.orders, ...adminUz.admin, kind: uz.profile.kind },
}

// Server and web import nothing of each other, so what both say stands in either, and here it is held together.
test.each(languages)('exported files in %s call states, methods, entries and accounts as the pages do', (language) => {
  const { status, item_status, payment_method, kind, account } = exportWords[language]
  const { wallet: _, ...shopAccounts } = account
  expect(pages[language]).toMatchObject({
    status,
    item: item_status,
    kind,
    orders: { methods: payment_method },
    ledger: { accounts: shopAccounts },
  })
})
