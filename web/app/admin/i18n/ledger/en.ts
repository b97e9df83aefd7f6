import type { InvariantName } from '@olmos/contract/operations'

/** What is always true of the store, by the name of the rule. */
export const ledgerRules = {
  'two-ends': 'Every transfer has two ends of one currency and a positive amount',
  'zero-sum': 'The balances of all accounts sum to zero in each currency',
  'balance-is-its-transfers': 'A buyer’s balance equals the sum of its transfers',
  'never-negative': 'No balance was ever below zero, and each ledger entry recorded the balance it left',
  'used-is-sold':
    'A code is used if and only if it has one sale that was not returned, and reserved if and only if it has one open reservation',
  'delivered-has-codes':
    'A delivered code item has exactly its codes, of its package, except for those it returned in part; an unpaid one never had any, a refunded one none that stayed',
  'delivered-once-or-refunded':
    'Each unit of a delivered top-up was delivered by one supplier, or was refunded and delivered by none; no more units go back afterwards than were delivered',
  'codes-differ': 'No two codes are the same',
  'one-order-a-cart': 'A version of a cart became at most one order',
  'total-is-its-items': 'The total of an order is the sum of its items',
  'price-in-force':
    'An item was charged at the price in force when it was ordered; what is delivered for a code costs nothing',
  'accepted-at-a-price-in-force':
    'What was paid by card was sold at the price it was ordered at while the order could wait, or at one not below the price in force when its money came; for Steam it follows from the rates of that moment',
  'paid-once-exactly':
    'A paid order was paid once, exactly, by its own method and by its buyer: with money, or with one code that was spent on nothing else',
  'unpaid-holds-nothing':
    'An unpaid order has taken no money and sent nothing on its way; while it waits its codes are reserved, and nothing else reserves any but what is just being spent on a player',
  'payment-has-its-transfer':
    'A card payment that succeeded has one equal transfer, and a transfer by card has its payment; an order was paid with exactly what was charged, at the frozen rate; a fee follows from its frozen terms and is booked once; each dispute moved what its state says and restricts its buyer, and nothing else does',
  'refunds-are-covered':
    'A refund covers the price of its item, or of the unit that was not delivered, once, parts of it never more, and each has its transfer; what was charged goes back in full only with the whole price; refunds and what banks took back are together never more than was paid, and a fee goes back once at most',
  'nothing-is-stuck': 'No reservation outlives its time, and no paid item waits without a next step',
  'nothing-is-sent-blindly':
    'An order is sent to a supplier again only when that supplier doesn’t know it, and to another only after the first rejected it',
  'states-follow-the-table':
    'Orders and items moved only along the table of states, an order is what its items say, and an item without a unit left is refunded',
  'audit-chain': 'The audit log has no gap, and each entry hashes the one before',
  'closed-days': 'The transfers of each closed day are those it was closed with, and so are the balances at its end',
  'audit-seals': 'The audit log is as it was when it was sealed with the key of this store',
  'parts-are-reserved':
    'The part of an order that the balance pays was taken once from its buyer and is reserved while the order waits; then it went into the sales, or back, once, and a payment is about the rest and its fee',
  'money-is-audited': 'Every change of money that an admin made has its entry in the audit log',
  'delivered-is-what-was-bought':
    'A supplier is asked for the item that was ordered, and that is the one its package was when it was ordered, or for what a source of the package buys there',
  'not-under-cost': 'No package is on sale under its cost, unless an admin agreed to that in the audit log',
  'coupons-are-counted':
    'A coupon counts the orders that used it; what it took off an order is what it took off its items, and none cost less than its floor',
  'fillings-fill-wallets':
    'A filling of a balance sells nothing; it is completed when its money is in the buyer’s balance, and not before',
  'cost-is-what-was-paid':
    'What an item cost is what its codes and deliveries cost; what was known when it was sold is not unknown',
  'recall-holds':
    'Nothing of a recalled import was sold, spent on a player or shown for the first time after its recall',
} as const satisfies Record<InvariantName, string>
