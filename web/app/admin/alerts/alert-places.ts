import type { Alert, AlertKind, AlertState } from '@olmos/contract/alerts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { paths } from '../../paths.ts'
import type { TabName } from '../i18n/en.ts'

export const alertTones: Record<AlertState, Tone> = { open: 'bad', acknowledged: 'wait', resolved: 'good' }

const toOrderBy = ({ details }: Alert) => (typeof details.order === 'string' ? details.order : undefined)
const searched = (tab: TabName, text: string) => `${paths.admin(tab)}?search=${encodeURIComponent(text)}`

type Area<Kind = AlertKind> = Kind extends `${infer First}.${string}` ? First : Kind & string

/** Finds the tab that shows what an alert is about, by the first part of its kind. */
const places: Readonly<Record<Area, (alert: Alert) => { tab: TabName; to: string } | undefined>> = {
  delivery: (alert) => ({ tab: 'deliveries', to: searched('deliveries', toOrderBy(alert) ?? '') }),
  offer: (alert) => ({ tab: 'deliveries', to: searched('deliveries', toOrderBy(alert) ?? '') }),
  supplier: () => ({ tab: 'suppliers', to: paths.admin('suppliers') }),
  rate: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  rates: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  codes: ({ subject }) => ({
    tab: 'generatedCodes',
    to: `${paths.admin('generatedCodes')}?productId=${subject.replace('product:', '')}`,
  }),
  payment: (alert) => ({ tab: 'payments', to: searched('payments', toOrderBy(alert) ?? alert.subject) }),
  refund: (alert) => ({ tab: 'orders', to: `${paths.admin('orders')}?order=${toOrderBy(alert) ?? ''}` }),
  // What that admin has done is in the audit log; guesses at the login have no admin.
  security: ({ details }) =>
    typeof details.admin === 'string' ? { tab: 'audit', to: searched('audit', details.admin) } : undefined,
  invariant: () => ({ tab: 'ledger', to: paths.admin('ledger') }),
}

const disputed = ['payment.disputed', 'payment.fraud_warning', 'payment.charged_back_twice']

export const toPlace = (alert: Alert) =>
  // A dispute is decided at its order. The kind may be one that a former version of the store knew.
  (places as Readonly<Partial<Record<string, (typeof places)[Area]>>>)[
    disputed.includes(alert.kind) ? 'refund' : (alert.kind.split('.')[0] ?? '')
  ]?.(alert)
