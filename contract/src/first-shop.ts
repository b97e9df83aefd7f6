import type { ShownShop } from './shop.ts'
import { firstNumbers } from './shop-numbers.ts'

/** What the shop says of itself until an owner says otherwise; apart from the schemas, which no first page loads. */
export const firstShop: ShownShop = {
  name: 'Olmos',
  messenger_url: null,
  email: null,
  phone: null,
  working_hours: null,
  reply_hours: firstNumbers.support_reply_hours,
  version: '',
  texts: {},
}
