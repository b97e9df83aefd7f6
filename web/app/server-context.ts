import type { Language } from '@olmos/contract/fields'
import { firstShop } from '@olmos/contract/first-shop'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import type { ShownShop } from '@olmos/contract/shop'
import { createContext, RouterContextProvider } from 'react-router'

/** One text in whatever language is chosen. */
export type TextInEach = Readonly<Record<Language, string>>

/** A page that the owner wrote, as the foot of every page names it in whatever language is chosen. */
export interface OwnPageLink {
  to: string
  titles: TextInEach
}

/** What the server knows of a request. Nothing of who sends it: a page is the same for everybody. */
export interface ServerValues {
  /** Asks the store's own calls, without the network. */
  api(path: string): Promise<{ status: number; body: unknown }>
  /** Address customers use, without a slash at the end. */
  publicUrl: string
  /** What the owner says of the shop. */
  shop: ShownShop
  /** What is only played in a shop that strangers reach. */
  openSandbox: 'payments' | 'deliveries' | undefined
  nonce: string
  language: Language
  /** What prices are shown in, if there is a rate. */
  currency: ChargeCurrency
  /** All that the shop offers, the default first. */
  currencies: readonly ChargeCurrency[]
  rates: readonly ShownCurrencyRate[]
  /** By what one can pay, in the shop's order. */
  paymentMarks: readonly PaymentMark[]
  colorScheme: 'dark' | 'light'
}

const developmentServer: string = import.meta.env.OLMOS_SERVER

/** Without the store's server around it, in development, the calls go over the network. */
export const serverValues = createContext<ServerValues>({
  async api(path) {
    const answer = await fetch(new URL(path, developmentServer))
    return { status: answer.status, body: await answer.json() }
  },
  publicUrl: developmentServer,
  shop: firstShop,
  openSandbox: undefined,
  nonce: '',
  language: 'ru',
  currency: 'RUB',
  currencies: ['RUB', 'USD', 'UZS', 'KZT'],
  rates: [],
  paymentMarks: [],
  colorScheme: 'dark',
})

export function makeContext(values: ServerValues): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(serverValues, values)
  return context
}
