import type { Language } from '@olmos/contract/fields'
import { toUnitTexts } from '@olmos/contract/units'
import { expect, test } from 'vitest'
import { ru } from '../i18n/ru.ts'
import { serverI18n } from '../i18n/server.ts'
import { createTranslate } from '../i18n/translate.ts'
import { gameAmountText, gameUnitOfMany, nameBesidesAmount, topupOfferText } from './game-number.ts'

const cases: [amount: number, currency: string, language: Language, shown: string][] = [
  [1060, 'Diamonds', 'ru', '1\u00A0060 алмазов'],
  [1, 'Diamonds', 'ru', '1 алмаз'],
  [344, 'Diamonds', 'ru', '344 алмаза'],
  [1060, 'Diamonds', 'uz', '1\u00A0060 olmos'],
  [1060, 'Diamonds', 'en', '1\u00A0060 Diamonds'],
  [50, 'diamond', 'ru', '50 алмазов'],
  [980, 'Genesis Crystals', 'ru', '980 кристаллов Сотворения'],
  [980, 'Genesis Crystals', 'uz', '980 Genesis Crystals'],
  [2800, 'V-Bucks', 'ru', '2\u00A0800 в-баксов'],
  [100, 'Stars', 'ru', '100 звёзд'],
  [3, 'months', 'ru', '3 месяца'],
  [11_500, 'UC', 'ru', '11\u00A0500 UC'],
  [400, 'Robux', 'uz', '400 Robux'],
  [880, 'FC Points', 'ru', '880 FC Points'],
  [10, 'constructor', 'en', '10 constructor'],
]

test.each(cases)('%d %s in %s', async (amount, currency, language, shown) => {
  const { t } = serverI18n(language).current()
  expect(gameAmountText(t, amount, currency)).toBe(shown)
})

const own = {
  Echo: { ru: { one: 'эхо', few: 'эха', many: 'эх' } },
  Diamonds: { ru: { one: 'бриллиант', few: 'бриллианта', many: 'бриллиантов' } },
  原石: { uz: { other: 'primogem' } },
}
const ownCases: [amount: number, currency: string, shown: string][] = [
  [5, 'Echo', '5 эх'],
  [1, 'ECHO', '1 эхо'],
  [22, 'Echoes', '22 эха'],
  [3, 'echos', '3 эха'],
  [21, 'Diamond', '21 бриллиант'],
  [5, 'Gems', '5 гемов'],
  // The owner gave it words in another language.
  [5, '原石', '5 原石'],
]

test.each(ownCases)('%d %s in the words of an owner', (amount, currency, shown) => {
  const t = createTranslate('ru', [ru], { name: 'Kamon', texts: toUnitTexts(own) })
  expect(gameAmountText(t, amount, currency)).toBe(shown)
})

test('a currency without a number is in the form of many', async () => {
  const { t } = serverI18n('ru').current()
  expect(gameUnitOfMany(t, 'Stars')).toBe('звёзд')
  expect(gameUnitOfMany(t, 'UC')).toBe('UC')
})

test('a package that is only an amount is named in the language of the page, a pass by its name', async () => {
  const { t } = serverI18n('ru').current()
  const offer = {
    id: 1,
    item_id: null,
    game_amount: 1060,
    price_usd: 9.49,
    price_rub: 755,
    is_popular: false,
    available: 9,
  }
  expect(topupOfferText(t, { ...offer, name: '1060 Diamonds' } as never, 'Diamonds')).toBe('1\u00A0060 алмазов')
  expect(topupOfferText(t, { ...offer, name: 'Weekly Pass' } as never, 'Diamonds')).toBe('Weekly Pass')
  const item = { game_amount: 1060, game_currency: 'Diamonds', topup_data: { offer_name: '1060 Diamonds' } as never }
  expect(nameBesidesAmount(item)).toBeUndefined()
})
