/** What the clients know: written down from answers alone, and later held against the database. */
export class Diary {
  /** The orders that were acknowledged to clients, and their owners. */
  readonly orders = new Map<string, number>()
  /** Milliseconds of each purchase call that was answered with an order. */
  readonly latencies: number[] = []
  /** Every balance a client was shown, as 'user amount' in minor units. */
  readonly balancesSeen = new Set<string>()
  /** Codes on receipts, and the order each was first seen on. */
  readonly codesSeen = new Map<string, string>()
  readonly complaints: string[] = []
  /** Users with a call that never got an answer: what happened to it is not known. */
  readonly undecided = new Set<number>()
  readonly #receiptsRead = new Set<string>()
  readonly #spent = new Map<number, number>()
  adjustments = 0
  refusals = 0
  retries = 0
  codesSoldTwice = 0

  acknowledge(orderId: string, userId: number): void {
    const owner = this.orders.get(orderId) ?? userId
    if (owner !== userId) this.complain(`order ${orderId} was given to users ${owner} and ${userId}`)
    this.orders.set(orderId, owner)
  }

  /** Answers whether nobody has read the receipt of this order yet. */
  claimReceipt(orderId: string): boolean {
    const isFirst = !this.#receiptsRead.has(orderId)
    this.#receiptsRead.add(orderId)
    return isFirst
  }

  paid(userId: number, total: number): void {
    this.#spent.set(userId, this.spentBy(userId) + total)
  }

  seeCodes(orderId: string, codes: readonly string[]): void {
    for (const code of codes) {
      const before = this.codesSeen.get(code)
      if (before !== undefined && before !== orderId) this.codesSoldTwice++
      this.codesSeen.set(code, orderId)
    }
  }

  complain(what: string): void {
    this.complaints.push(what)
  }

  /** Minor units this user was told to have spent. */
  spentBy(userId: number): number {
    return this.#spent.get(userId) ?? 0
  }

  /** The answer time that `share` of all purchases stayed below. */
  percentile(share: number): number {
    const sorted = [...this.latencies].sort((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  }
}
