import { count, counted, type Line, printInvariants } from '../verdict.ts'
import type { PaymentsResult } from './payments.ts'
import { dramas } from './refunds.ts'
import { printBugs, printFalls, printKills, printSums } from './verdict.ts'
import { bankNames, clickPlays, habits, paymePlays } from './ways.ts'

const tooFew = 'too few to prove anything'

/** A count that a run needs some of, or it has proved nothing about it. */
const needed = (text: string, made: number): Line => ({
  text,
  value: count(made),
  ...(made === 0 && { broken: [tooFew] }),
})

const needEach = <T extends string>(kinds: readonly T[], made: ReadonlyMap<T, number>, indent = '  '): Line[] =>
  kinds.map((kind) => needed(`${indent}${kind}`, made.get(kind) ?? 0))

/** What a run of payments has to show. */
export function printPayments(result: PaymentsResult): Line[] {
  const { diary, payments, asked, webhooks, nonsense, sums, final } = result
  return [
    {
      text: 'payments opened',
      value: `${count(payments.opened)} of ${count(payments.wanted)} carts`,
      // The shelves are full enough for nearly all of them.
      broken: payments.opened < payments.wanted * 0.9 ? [tooFew] : [],
    },
    ...needEach(bankNames, result.providers),
    ...habits.map((habit) =>
      needed(
        `  paid ${habit}`.replace('paid declined', 'declined').replace('paid again', 'declined, and paid again'),
        result.habits.get(habit) ?? 0,
      ),
    ),
    ...needEach(paymePlays, result.plays, '  payme: '),
    ...needEach(clickPlays, result.plays, '  click: '),
    { text: 'calls of payme and click', value: count(asked.calls) },
    needed('  repeated although they were answered', asked.repeats),
    needed('  refused as they had to be', asked.refused),
    {
      text: 'events told by the others, told so often',
      value: `${count(webhooks.events)}, ${count(webhooks.told)} times in ${result.seconds.toFixed(0)} s`,
    },
    printKills(result),
    { text: 'webhooks repeated for want of an answer', value: count(diary.retries) },
    {
      text: 'codes paid for, delivered',
      value: `${count(final.unitsPaid)}, ${count(final.unitsDelivered)}`,
      broken: final.unitsPaid === final.unitsDelivered ? [] : ['they differ'],
    },
    { text: 'orders with money in the wallet', value: count(final.ordersToWallet) },
    needed('  of them fillings of balances', final.filled),
    needed('orders with a part from the balance', final.ordersWithPart),
    { text: '  refunded both ways', value: count(final.refundedBothWays) },
    needed('fees of ways to pay', final.fees),
    { text: '  refunded', value: count(final.feesRefunded) },
    { text: 'prices raised meanwhile', value: count(result.pricesRaised) },
    counted('sold or opened at a price that was over', result.tooCheap),
    counted('orders with neither all codes nor the money', final.lost),
    counted('orders delivered and not paid', final.unpaid),
    counted('orders delivered for another sum than was charged', final.otherSum),
    counted('orders paid and expired', final.paidAndExpired),
    counted('charges otherwise at the provider than in the store', final.unknown),
    {
      text: "the providers' books and the ledger",
      value:
        final.booksApart.length === 0 ? `equal, ${count(final.charges)} charges: ${final.chargeCurrencies}` : 'apart',
      broken: final.booksApart,
    },
    counted('transactions otherwise at payme or click', final.transactionsApart),
    counted("transactions otherwise in payme's statement", result.statementApart),
    ...needEach(dramas, result.dramas),
    needed('refunds by the providers', final.refunds),
    needed('  of a part, converted', final.partsConverted),
    needed('chargebacks booked', final.chargebacks),
    counted('paid back more than was paid', final.overpaid),
    counted('refunds otherwise in the books than at the provider', final.refundsApart),
    counted('refunds that nobody has decided', final.undecided),
    counted('acknowledged orders lost', [...result.lostOrders]),
    {
      text: 'nonsense accepted',
      value: `${count(nonsense.accepted)} of ${count(nonsense.answered)} webhooks`,
      broken:
        nonsense.accepted > 0 || nonsense.answered < nonsense.wanted ? [`${count(nonsense.wanted)} were sent`] : [],
    },
    printSums(sums),
    printInvariants(result.brokenInvariants, result.invariants),
    counted('complaints of clients and of providers', diary.complaints),
    printBugs(result.bugs),
    printFalls(...result.servers),
  ]
}
