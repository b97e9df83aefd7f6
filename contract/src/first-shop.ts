import { firstReplyHours } from './business.ts'
import type { ShownShop } from './shop.ts'

/** What the shop says of itself until an owner says otherwise; apart from schemas and ranges, which no first page loads. */
export const firstShop: ShownShop = {
  name: 'Olmos',
  messenger_url: null,
  email: null,
  phone: null,
  working_hours: null,
  reply_hours: firstReplyHours,
  pages: [],
  action_url: null,
  featured: [],
  banner: null,
  version: '',
  texts: {},
}
