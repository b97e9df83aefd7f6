import type { Alert, AlertState } from '@olmos/contract/alerts'
import type { Tone } from '../../features/orders/order.rules.ts'
import { paths } from '../../paths.ts'

/** Of a kind that is not here its own name is shown. */
export const alertTexts: Readonly<Record<string, string>> = {
  'delivery.stuck': 'admin.alerts.kind.deliveryStuck',
  'delivery.done_after_refund': 'admin.alerts.kind.deliveredAfterRefund',
  'supplier.float': 'admin.alerts.kind.supplierFloat',
  'supplier.not_allowed': 'admin.alerts.kind.supplierNotAllowed',
  'supplier.no_rate': 'admin.alerts.kind.supplierNoRate',
  'offer.too_dear': 'admin.alerts.kind.offerTooDear',
  'supplier.out': 'admin.alerts.kind.supplierOut',
  'supplier.steam_rate': 'admin.alerts.kind.steamRate',
  'rate.held': 'admin.alerts.kind.rateHeld',
  'rate.missing': 'admin.alerts.kind.rateMissing',
  'rates.failed': 'admin.alerts.kind.ratesFailed',
  'codes.other_game': 'admin.alerts.kind.codesOtherGame',
  'payment.out_of_stock': 'admin.alerts.kind.paidOutOfStock',
  'payment.not_on_sale': 'admin.alerts.kind.paidNotOnSale',
  'payment.price_changed': 'admin.alerts.kind.paidPriceChanged',
  'payment.buyer_blocked': 'admin.alerts.kind.paidByBlocked',
  'payment.wrong_amount': 'admin.alerts.kind.paidWrongAmount',
  'payment.wrong_currency': 'admin.alerts.kind.paidWrongCurrency',
  'payment.superseded': 'admin.alerts.kind.paidSuperseded',
  'payment.paid_before': 'admin.alerts.kind.paidBefore',
  'payment.canceled_after_success': 'admin.alerts.kind.paymentCanceled',
  'payment.unknown': 'admin.alerts.kind.paymentUnknown',
  'payment.disputed': 'admin.alerts.kind.disputed',
  'payment.fraud_warning': 'admin.alerts.kind.fraudWarning',
  'payment.charged_back_twice': 'admin.alerts.kind.chargedBackTwice',
  'payment.dispute_unknown': 'admin.alerts.kind.disputeUnknown',
  'payment.not_allowed': 'admin.alerts.kind.paymentNotAllowed',
  'payment.refused': 'admin.alerts.kind.paymentRefused',
  'refund.outside': 'admin.alerts.kind.refundOutside',
  'refund.unknown': 'admin.alerts.kind.refundUnknown',
  'refund.stuck': 'admin.alerts.kind.refundStuck',
  'refund.failed': 'admin.alerts.kind.refundFailed',
  invariant: 'admin.alerts.kind.invariant',
  'security.guessing': 'admin.alerts.kind.guessing',
}

export const alertStateTexts = {
  open: 'admin.alerts.open',
  acknowledged: 'admin.alerts.acknowledged',
  resolved: 'admin.alerts.resolved',
} as const satisfies Record<AlertState, string>

export const alertTones: Record<AlertState, Tone> = { open: 'bad', acknowledged: 'wait', resolved: 'good' }

const orderOf = ({ details }: Alert) => (typeof details.order === 'string' ? details.order : undefined)
const searched = (tab: string, text: string) => `${paths.admin(tab)}?search=${encodeURIComponent(text)}`

/** By the first word of the kind: the tab that shows what an alert is about. */
const places: Readonly<Record<string, (alert: Alert) => { tab: string; to: string }>> = {
  delivery: (alert) => ({ tab: 'deliveries', to: searched('deliveries', orderOf(alert) ?? '') }),
  offer: (alert) => ({ tab: 'deliveries', to: searched('deliveries', orderOf(alert) ?? '') }),
  supplier: () => ({ tab: 'suppliers', to: paths.admin('suppliers') }),
  rate: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  rates: () => ({ tab: 'currencyRates', to: paths.admin('currencyRates') }),
  codes: ({ subject }) => ({
    tab: 'generatedCodes',
    to: `${paths.admin('generatedCodes')}?productId=${subject.replace('product:', '')}`,
  }),
  payment: (alert) => ({ tab: 'payments', to: searched('payments', orderOf(alert) ?? alert.subject) }),
  refund: (alert) => ({ tab: 'orders', to: `${paths.admin('orders')}?order=${orderOf(alert) ?? ''}` }),
  invariant: () => ({ tab: 'ledger', to: paths.admin('ledger') }),
}

const disputed = ['payment.disputed', 'payment.fraud_warning', 'payment.charged_back_twice']

export const placeOf = (alert: Alert) =>
  // A dispute is decided at its order.
  places[disputed.includes(alert.kind) ? 'refund' : (alert.kind.split('.')[0] ?? '')]?.(alert)
