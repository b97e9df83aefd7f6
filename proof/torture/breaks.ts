import type { Break } from '../break.ts'

export interface TortureBreak extends Break {
  /** The kind of run that meets it; of carts unless said otherwise. */
  mode?: 'payments' | 'topups' | 'coupons' | 'restore' | 'update' | 'restarts' | 'overload' | 'failover' | 'full-disk'
  /** Run on the migrated database before the servers start. */
  sql?: string
  /** PostgreSQL's settings. */
  settings?: Record<string, string>
  /** A primary acknowledges what no other machine has. */
  isAsynchronous?: true
  /** Clients that get no answer in time press again under a new key, and empty the cart themselves once they paid. */
  clientsResend?: true
  /** The operator starts the restored store without a look at the log of sales. */
  skipsReconcile?: true
}

export const breaks: Record<string, TortureBreak> = {
  'read-then-write-debit': {
    sentence: 'the balance is read, compared and written back in three steps',
    modules: { 'server/src/modules/wallet/wallet.ts': 'planted-debit.ts' },
  },
  'no-sale-key': {
    sentence: 'codes are taken without a lock and sold without a key that allows one sale each',
    sql: 'ALTER TABLE code_sale DROP CONSTRAINT code_sale_pkey CASCADE',
    modules: { 'server/src/modules/codes/take-codes.ts': 'planted-sale.ts' },
  },
  'asynchronous-commit': {
    sentence: 'PostgreSQL answers before a commit is on the disk',
    // With the longest delay PostgreSQL knows, so that even a short run loses something.
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '1GB' },
  },
  'resend-on-timeout': {
    sentence: 'a retry has a new key, and one version of a cart may become two orders',
    sql: 'ALTER TABLE orders DROP CONSTRAINT orders_user_id_cart_version_key',
    modules: {
      'server/src/modules/orders/place-order.ts': 'planted-order.ts',
      'server/src/modules/cart/cart.ts': 'planted-cart.ts',
    },
    clientsResend: true,
  },
  'blind-resend': {
    sentence: 'an order that a supplier did not answer is sent again under a new key',
    modules: { 'server/src/modules/delivery/delivery.rules.ts': 'planted-resend.ts' },
    mode: 'topups',
  },
  'failover-on-unknown': {
    sentence: 'an order that a supplier did not answer is sent to the next one',
    modules: { 'server/src/modules/delivery/delivery.rules.ts': 'planted-failover.ts' },
    mode: 'topups',
  },
  'double-refund': {
    sentence: 'a refund whose repeat is refused goes to the wallet, whatever became of the first try',
    mode: 'payments',
    modules: { 'server/src/modules/payments/ask-for-refund.ts': 'planted-refund.ts' },
  },
  'expire-without-lock': {
    sentence: 'the clock reads which orders are overdue, and ends them without another look',
    mode: 'payments',
    modules: { 'server/src/modules/checkout/expire-order.ts': 'planted-expiry.ts' },
  },
  'frozen-price': {
    sentence:
      'money that comes late, and a payment that is made again, are taken at the price of when the order was placed',
    mode: 'payments',
    modules: { 'server/src/modules/checkout/order-terms.ts': 'planted-price.ts' },
  },
  'perform-twice': {
    sentence: 'the money of a transaction that a provider performs once more is booked once more',
    mode: 'payments',
    modules: { 'server/src/modules/checkout/payment-books.ts': 'planted-perform.ts' },
  },
  'part-returned-twice': {
    sentence: 'what the balance was to pay of an order that ends unpaid is returned once more, without a key',
    mode: 'payments',
    modules: { 'server/src/modules/orders/order-money.ts': 'planted-part.ts' },
  },
  'charge-not-compared': {
    sentence: 'what a provider says that it took is not compared with what was charged',
    mode: 'payments',
    modules: { 'server/src/modules/payments/charge.rules.ts': 'planted-charge.ts' },
  },
  'fee-booked-twice': {
    sentence: 'what a customer pays for the way to pay is booked once more',
    mode: 'payments',
    modules: { 'server/src/modules/orders/order-money.ts': 'planted-fee.ts' },
  },
  'restore-without-reconcile': {
    sentence: 'a restored store is started without `reconcile-sales`',
    mode: 'restore',
    skipsReconcile: true,
  },
  'locked-table': {
    sentence: 'a migration keeps the orders locked for two seconds and a half',
    mode: 'update',
    modules: { 'server/src/platform/database/migrate.ts': 'planted-migration.ts' },
  },
  'asynchronous-standby': {
    sentence: 'the primary acknowledges an order before any other machine has it',
    mode: 'failover',
    isAsynchronous: true,
  },
  'fee-left-out': {
    sentence: 'what a customer pays for the way to pay is taken, and not booked',
    mode: 'payments',
    modules: { 'server/src/modules/orders/order-money.ts': 'planted-no-fee.ts' },
  },
  'coupon-read-then-write': {
    sentence: 'how often a coupon was used is read, compared and written back in three steps',
    mode: 'coupons',
    modules: { 'server/src/modules/coupons/coupons.ts': 'planted-coupon.ts' },
  },
  'ready-while-ending': {
    sentence: 'a node that is told to end takes nobody more at once, and never says that it is not ready',
    mode: 'restarts',
    modules: { 'server/src/config.ts': 'planted-grace.ts' },
  },
  'ready-reads-only': {
    sentence: 'a node is ready when its database answers, whether or not anything can be written',
    mode: 'full-disk',
    modules: { 'server/src/platform/database/database.ts': 'planted-ready.ts' },
  },
  'pages-first': {
    sentence: 'pages have no gate, neither by address nor by load, and are rendered whenever they are asked for',
    mode: 'overload',
    modules: { 'server/src/platform/http/rate-limit.ts': 'planted-pages.ts' },
  },
}
