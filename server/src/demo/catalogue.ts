import type { DemoProduct, DemoPromotion, DemoRegion } from './demo.ts'
import { fortnite } from './products/fortnite.ts'
import { freefire } from './products/freefire.ts'
import { freefireCodes } from './products/freefire-codes.ts'
import { genshinImpact } from './products/genshin-impact.ts'
import { itunes } from './products/itunes.ts'
import { mobileLegends } from './products/mobile-legends.ts'
import { playstation } from './products/playstation.ts'
import { pubg } from './products/pubg.ts'
import { roblox } from './products/roblox.ts'
import { steam } from './products/steam.ts'
import { telegram } from './products/telegram.ts'
import { valorant } from './products/valorant.ts'

/** The products of an empty shop's demonstration, in the order they are listed. */
export const demoProducts: DemoProduct[] = [
  pubg,
  steam,
  freefire,
  freefireCodes,
  roblox,
  fortnite,
  mobileLegends,
  genshinImpact,
  valorant,
  playstation,
  itunes,
  telegram,
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
    text: { en: 'Robux from $1.29', ru: 'Robux от 99 ₽', uz: 'Robux 99 ₽ dan' },
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
