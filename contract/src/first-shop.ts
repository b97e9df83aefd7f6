import { firstReplyHours } from './business.ts'
import type { ShownShop } from './shop.ts'

/** How the shop is reached until an owner says otherwise; apart from schemas and ranges, which no first page loads. */
export const firstContacts = {
  messenger_url: null,
  email: null,
  phone: null,
  working_hours: null,
  reply_hours: firstReplyHours,
}

/** What the shop says of itself until then. */
export const firstShop: ShownShop = {
  name: 'Olmos',
  ...firstContacts,
  languages: ['ru', 'en', 'uz'],
  default_language: 'ru',
  currencies: ['RUB', 'USD'],
  default_currency: 'RUB',
  shown_currencies: ['UZS', 'KZT'],
  logo: null,
  icon: null,
  accent_dark: null,
  ground_dark: null,
  accent_light: null,
  ground_light: null,
  pages: [],
  action_url: null,
  featured: [],
  banners: [],
  version: '',
  texts: {},
}
