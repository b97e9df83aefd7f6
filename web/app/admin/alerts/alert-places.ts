import type { Alert, AlertKind } from '@olmos/contract/alerts'
import { paths } from '../../paths.ts'
import { batchPath } from '../batches/batches.queries.ts'
import type { TabName } from '../i18n/en.ts'
import { toReconciliation } from '../payments/reconciliation.queries.ts'
import { toPrices } from '../price-rules/price-rules.queries.ts'
import { fieldsView, productPath } from '../products/products.queries.ts'
import { conversationPath } from '../support/support.queries.ts'

const toOrderBy = ({ details }: Alert) => (typeof details.order === 'string' ? details.order : undefined)
/** The number in a subject such as `batch:17`. */
const toId = (subject: string): number => Number(subject.split(':')[1])
const searched = (tab: TabName, text: string) => `${paths.admin(tab)}?search=${encodeURIComponent(text)}`

interface Place {
  tab: TabName
  to: string
}

type Area<Kind = AlertKind> = Kind extends `${infer First}.${string}` ? First : Kind & string

/** Finds the tab that shows what an alert is about, by the first part of its kind. */
const places: Readonly<Record<Area, (alert: Alert) => Place | undefined>> = {
  delivery: (alert) => ({ tab: 'deliveries', to: searched('deliveries', toOrderBy(alert) ?? '') }),
  offer: (alert) => ({ tab: 'deliveries', to: searched('deliveries', toOrderBy(alert) ?? '') }),
  source: ({ details }) => ({
    tab: 'products',
    to: searched('products', String(details.product ?? '').split(':')[0] ?? ''),
  }),
  supplier: () => ({ tab: 'suppliers', to: paths.admin('suppliers') }),
  price: ({ kind }) =>
    kind === 'price.no_rate'
      ? { tab: 'currencyRates', to: paths.admin('currencyRates') }
      : {
          tab: 'priceRules',
          to: toPrices(kind === 'price.waiting' ? { view: 'pending' } : { view: 'packages', state: 'off_sale' }),
        },
  rate: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  rates: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  codes: ({ kind, subject }) => {
    if (kind === 'codes.expiring') return { tab: 'batches', to: batchPath(toId(subject)) }
    if (kind === 'codes.low') return { tab: 'products', to: productPath(toId(subject)) }
    return { tab: 'generatedCodes', to: `${paths.admin('generatedCodes')}?productId=${toId(subject)}` }
  },
  product: ({ subject }) => ({ tab: 'products', to: productPath(toId(subject), fieldsView) }),
  payment: (alert) =>
    alert.kind === 'payment.difference'
      ? { tab: 'payments', to: toReconciliation(String(alert.details.day ?? '')) }
      : { tab: 'payments', to: searched('payments', toOrderBy(alert) ?? alert.subject) },
  approval: (alert) =>
    toOrderBy(alert)
      ? { tab: 'orders', to: `${paths.admin('orders')}?order=${toOrderBy(alert)}` }
      : { tab: 'users', to: paths.admin('users') },
  refund: (alert) => ({ tab: 'orders', to: `${paths.admin('orders')}?order=${toOrderBy(alert) ?? ''}` }),
  // What that admin has done is in the audit log; guesses at the login have no admin.
  security: ({ details }) =>
    typeof details.admin === 'string' ? { tab: 'audit', to: searched('audit', details.admin) } : undefined,
  support: ({ subject }) => ({ tab: 'support', to: conversationPath(toId(subject)) }),
  // It is mended on the machine, not in the admin area.
  backup: () => undefined,
  invariant: () => ({ tab: 'ledger', to: paths.admin('ledger') }),
}

const disputed = ['payment.disputed', 'payment.fraud_warning', 'payment.charged_back_twice']

/** The way to what an alert is about; undefined where there is no such tab. */
export const toPlace = (alert: Alert): Place | undefined =>
  // A dispute is decided at its order. The kind may be one that a former version of the store knew.
  (places as Readonly<Partial<Record<string, (typeof places)[Area]>>>)[
    disputed.includes(alert.kind) ? 'refund' : (alert.kind.split('.')[0] ?? '')
  ]?.(alert)
