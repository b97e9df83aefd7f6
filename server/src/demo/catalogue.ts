import type { Language } from '@olmos/contract/fields'
import type { DemoProduct } from './demo.ts'
import { demoGameCodes, demoMoreGameCodes } from './products/game-codes.ts'
import { demoAdventureTopups, demoArenaTopups } from './products/game-topups.ts'
import { demoGiftCards } from './products/gift-cards.ts'
import { demoMoreTopups, demoStrategyTopups } from './products/more-topups.ts'
import { demoShooterTopups, demoTopups } from './products/topups.ts'

interface DemoRegion {
  /** ISO 3166 alpha-2, or EU. */
  code: string
  /** In Russian; the other languages are beside it. */
  name: string
  translations: { en: string; uz: string }
  /** The address of a picture. */
  flag: string
}

interface DemoPromotion {
  text: Record<Language, string>
  /** #rrggbb, dark enough for white letters. */
  backgroundColor: string
}

/** The products of an empty shop's demonstration, in the order they are listed. */
export const demoProducts: DemoProduct[] = [
  ...demoTopups,
  ...demoGameCodes,
  ...demoMoreGameCodes,
  ...demoGiftCards,
  ...demoArenaTopups,
  ...demoShooterTopups,
  ...demoMoreTopups,
  ...demoAdventureTopups,
  ...demoStrategyTopups,
]

export const demoRegions: DemoRegion[] = [
  { code: 'TR', name: 'Турция', translations: { en: 'Turkey', uz: 'Turkiya' }, flag: '/art/flags/tr.svg' },
  { code: 'RU', name: 'Россия', translations: { en: 'Russia', uz: 'Rossiya' }, flag: '/art/flags/ru.svg' },
  { code: 'KZ', name: 'Казахстан', translations: { en: 'Kazakhstan', uz: 'Qozogʻiston' }, flag: '/art/flags/kz.svg' },
  { code: 'UZ', name: 'Узбекистан', translations: { en: 'Uzbekistan', uz: 'Oʻzbekiston' }, flag: '/art/flags/uz.svg' },
  { code: 'US', name: 'США', translations: { en: 'USA', uz: 'AQSh' }, flag: '/art/flags/us.svg' },
  { code: 'EU', name: 'Европа', translations: { en: 'Europe', uz: 'Yevropa' }, flag: '/art/flags/eu.svg' },
]

export const demoPromotions: DemoPromotion[] = [
  {
    text: {
      en: 'Codes arrive right after payment',
      ru: 'Коды приходят сразу после оплаты',
      uz: 'Kodlar toʻlovdan soʻng darhol keladi',
    },
    backgroundColor: '#0e6f8f',
  },
  {
    text: { en: 'Robux from $1.29', ru: 'Robux от 99 ₽', uz: 'Robux 99 ₽ dan boshlab' },
    backgroundColor: '#b3203d',
  },
  {
    text: {
      en: 'New: iTunes cards for Kazakhstan',
      ru: 'Новинка: карты iTunes для Казахстана',
      uz: 'Yangilik: Qozogʻiston uchun iTunes kartalari',
    },
    backgroundColor: '#5b3fd6',
  },
]
