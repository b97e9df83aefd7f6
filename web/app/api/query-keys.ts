import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import type { OrderShelf } from '@olmos/contract/orders'
import type { SteamCurrency } from '@olmos/contract/topup-data'

/** What the admin area lists and edits: the second part of the keys of everything about it. */
export type AdminNoun =
  | 'alerts'
  | 'answerTemplates'
  | 'audit'
  | 'codes'
  | 'coupons'
  | 'deliveries'
  | 'fiscal'
  | 'freefireDenominations'
  | 'generatedCodes'
  | 'ledger'
  | 'messages'
  | 'offers'
  | 'orders'
  | 'orderViews'
  | 'pages'
  | 'payments'
  | 'paymentSetup'
  | 'prices'
  | 'products'
  | 'profit'
  | 'promotions'
  | 'pubgCodes'
  | 'pubgDenominations'
  | 'rates'
  | 'reconciliation'
  | 'regions'
  | 'reviews'
  | 'security'
  | 'shop'
  | 'sourcing'
  | 'summary'
  | 'staff'
  | 'suppliers'
  | 'support'
  | 'users'
  | 'version'

/** Every key of the query cache. Invalidating a key invalidates all keys that begin with it: `cart.all` covers the whole cart. */
export const queryKeys = {
  balance: {
    all: ['balance'],
    now: ['balance', 'now'],
    history: ['balance', 'history'],
    fillings: ['balance', 'fillings'],
    terms: ['balance', 'terms'],
  },
  cart: {
    all: ['cart'],
    count: ['cart', 'count'],
    /** Titles come in the customer's language. */
    items: (language: Language) => ['cart', 'items', language] as const,
    /** The key of the mutations, by which the last of several is recognised. */
    change: ['cart', 'change'],
  },
  coupon: {
    all: ['coupon'],
    of: (code: string, currency: Currency, bought: object) => ['coupon', code, currency, bought] as const,
  },
  notifications: ['notifications'],
  offers: {
    all: ['offers'],
    inRegion: (productId: number, regionId: number) => ['offers', productId, regionId] as const,
    popularIn: (productId: number, regionId: number) => ['offers', productId, regionId, 'popular'] as const,
  },
  orders: {
    all: ['orders'],
    list: (
      filter: { search: string; state?: OrderShelf | undefined; product?: string | undefined },
      language: Language,
    ) => ['orders', 'list', filter, language] as const,
    products: (language: Language) => ['orders', 'products', language] as const,
    /** Not below the order itself, which is asked for again and again while something is awaited of it. */
    reviews: (id: string) => ['orders', 'reviews', id] as const,
    receipt: (id: string, language: Language) => ['orders', 'receipt', id, language] as const,
    withoutCodes: (id: string, language: Language) => ['orders', 'withoutCodes', id, language] as const,
    share: (id: string) => ['orders', 'share', id] as const,
    /** The first of them, wherever one is picked. */
    latest: (language: Language) => ['orders', 'latest', language] as const,
  },
  paymentMethods: {
    all: ['paymentMethods'],
    for: (currency: Currency, amount: number, language: Language) =>
      ['paymentMethods', currency, amount, language] as const,
  },
  profile: ['profile'],
  rates: ['rates'],
  reviews: (slug: string) => ['reviews', slug] as const,
  promotions: (language: Language) => ['promotions', language] as const,
  sandboxPayment: (id: string) => ['sandbox', id] as const,
  sessions: ['sessions'],
  /** Own conversations with the shop; `of` is the id of one, or what the link of a visitor ends with. */
  talks: {
    all: ['talks'],
    own: ['talks', 'own'],
    one: (of: string, shown?: number) => (shown === undefined ? ['talks', of] : ['talks', of, shown]),
  },
  topups: {
    rules: (slug: string, language: Language) => ['topups', slug, 'rules', language] as const,
    allRules: (slugs: readonly string[], language: Language) => ['topups', slugs, 'rules', language] as const,
    offers: (slug: string, language: Language) => ['topups', slug, 'offers', language] as const,
    amount: (slug: string, inputCurrency: SteamCurrency, paidIn: Currency, amount: number) =>
      ['topups', slug, 'amount', inputCurrency, paidIn, amount] as const,
  },
  admin: {
    all: ['admin'],
    texts: (language: Language) => ['admin', 'texts', language] as const,
    /** Everything about a noun, or the part of it that the further words name. */
    noun: (noun: AdminNoun, ...part: readonly (string | number | object)[]) => ['admin', noun, ...part] as const,
  },
} as const
