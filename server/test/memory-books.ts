import type { BooksRefusal, PaymentBooks, ProviderTransaction } from '../src/modules/payments/provider.ts'

interface Order {
  amount: number
  status: 'waiting' | 'expired' | 'paid' | 'delivered' | 'refunded'
}

export interface MemoryBooks extends PaymentBooks {
  orders: Map<string, Order>
  transactions: Map<string, ProviderTransaction>
  /** The books' own clock. */
  now: Date
}

const refusal = (no: BooksRefusal['no']): BooksRefusal => ({ no })

/** The store's books without a store: what `PaymentBooks` promises, and nothing else. */
export function createMemoryBooks(): MemoryBooks {
  const orders = new Map<string, Order>()
  const transactions = new Map<string, ProviderTransaction>()
  const orderAt = (account: string) => orders.get(account.toUpperCase())
  const pendingAt = (account: string) =>
    [...transactions.values()].find((one) => one.account === account.toUpperCase() && one.state === 'begun')

  const check: PaymentBooks['check'] = async (account, amount) => {
    // The database would not take it either.
    if (!Number.isSafeInteger(amount)) throw new Error(`${amount} is no number of tiyin`)
    const order = orderAt(account)
    if (!order) return refusal('unknown_account')
    if (order.status !== 'waiting') return refusal('not_payable')
    if (order.amount !== amount) return refusal('wrong_amount')
    return pendingAt(account) ? refusal('other_pending') : 'payable'
  }

  const change = (one: ProviderTransaction, changes: Partial<ProviderTransaction>): ProviderTransaction => {
    const changed = { ...one, ...changes }
    transactions.set(one.id, changed)
    return changed
  }

  const books: MemoryBooks = {
    orders,
    transactions,
    now: new Date(),
    check,
    async begin(account, { id, amount, at }) {
      const known = transactions.get(id)
      if (known) return known
      const checked = await check(account, amount)
      if (checked !== 'payable') return checked
      const begun: ProviderTransaction = {
        id,
        ownId: String(transactions.size + 1),
        account: account.toUpperCase(),
        amount,
        state: 'begun',
        at,
        begunAt: books.now,
        performedAt: undefined,
        canceledAt: undefined,
        reason: undefined,
      }
      transactions.set(id, begun)
      return begun
    },
    async perform(id) {
      const known = transactions.get(id)
      if (!known) return refusal('unknown_transaction')
      if (known.state === 'performed') return known
      if (known.state !== 'begun') return refusal('state')
      const order = orderAt(known.account)
      if (order) order.status = 'paid'
      return change(known, { state: 'performed', performedAt: books.now })
    },
    async cancel(id, reason) {
      const known = transactions.get(id)
      if (!known) return refusal('unknown_transaction')
      const order = orderAt(known.account)
      if (known.canceledAt) return known
      if (known.state === 'begun') return change(known, { state: 'canceled', canceledAt: books.now, reason })
      if (order?.status === 'delivered') return refusal('delivered')
      if (order) order.status = 'refunded'
      return change(known, { state: 'reversed', canceledAt: books.now, reason })
    },
    find: async (id) => transactions.get(id),
    list: async (from, to) =>
      [...transactions.values()]
        .filter(({ at }) => at >= from && at <= to)
        .sort((one, other) => one.at.getTime() - other.at.getTime()),
  }
  return books
}
