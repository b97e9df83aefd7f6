import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { habits } from './bank.ts'
import type { PaymentsResult } from './payments.ts'
import { dramas } from './refunds.ts'
import { printBugs, printKills } from './verdict.ts'

/** What a run of payments has to show. */
export function printPayments(result: PaymentsResult): Line[] {
  const { diary, payments, webhooks, nonsense, sums, final } = result
  return [
    {
      text: 'payments opened',
      value: `${count(payments.opened)} of ${count(payments.wanted)} carts`,
      // A new account may reserve three codes, so the few carts of four are refused; shelves are full enough for the rest.
      broken: payments.opened < payments.wanted * 0.9 ? ['too few to prove anything'] : [],
    },
    ...habits.map((habit) => ({
      text: `  paid ${habit}`.replace('paid declined', 'declined').replace('paid again', 'declined, and paid again'),
      value: count(result.habits.get(habit) ?? 0),
    })),
    {
      text: 'events of the bank, told so often',
      value: `${count(webhooks.events)}, ${count(webhooks.told)} times in ${result.seconds.toFixed(0)} s`,
    },
    printKills(result.kills, result.wantedKills),
    { text: 'notices repeated for want of an answer', value: count(diary.retries) },
    {
      text: 'codes paid for, delivered',
      value: `${count(final.unitsPaid)}, ${count(final.unitsDelivered)}`,
      broken: final.unitsPaid === final.unitsDelivered ? [] : ['they differ'],
    },
    { text: 'orders with money in the wallet', value: count(final.ordersToWallet) },
    { text: 'prices raised meanwhile', value: count(result.pricesRaised) },
    counted('sold or opened at a price that was over', result.tooCheap),
    counted('orders with neither all codes nor the money', final.lost),
    counted('orders delivered and not paid', final.unpaid),
    counted('orders paid and expired', final.paidAndExpired),
    counted('charges of the bank the store knows nothing of', final.unknown),
    {
      text: "the bank's books and the ledger",
      value: final.booksApart.length === 0 ? `equal, ${count(final.charges)} charges` : 'apart',
      broken: final.booksApart,
    },
    ...dramas.map((drama) => ({ text: `  ${drama}`, value: count(result.dramas.get(drama) ?? 0) })),
    { text: 'refunds of the bank', value: count(final.refunds) },
    counted('paid back more than was paid', final.overpaid),
    counted('refunds otherwise in the books than at the bank', final.refundsApart),
    counted('refunds that nobody has decided', final.undecided),
    counted('acknowledged orders lost', [...result.lostOrders]),
    {
      text: 'nonsense accepted',
      value: `${count(nonsense.accepted)} of ${count(nonsense.answered)} notices`,
      broken:
        nonsense.accepted > 0 || nonsense.answered < nonsense.wanted ? [`${count(nonsense.wanted)} were sent`] : [],
    },
    {
      text: 'ledger sums not zero',
      value: `${count(sums.wrong.length)} of ${count(sums.reads)} reads`,
      broken: sums.reads === 0 ? ['nobody read them'] : sums.wrong,
    },
    printInvariants(result.brokenInvariants, result.invariants),
    counted('complaints of clients and of the bank', diary.complaints),
    printBugs(result.bugs),
    counted('servers that ended on their own', result.falls),
  ]
}
