/** What has gone back of an order that was paid both ways, in minor units of its currency. */
interface Returned {
  /** By all its refunds, wherever they went. */
  inAll: number
  /** To the card. */
  toCard: number
}

/**
 * Computes how much of a refund goes back to the card; the rest goes to the balance. After it the card has had back its
 * share of all that was refunded, rounded down, as far as this refund can make up for it, so that refunds of all of an order
 * return exactly what each way paid. Amounts are minor units.
 */
export function shareOfCard(paid: { total: number; byCard: number }, before: Returned, amount: number): number {
  const inAll = Math.min(before.inAll + amount, paid.total)
  const due = Number((BigInt(inAll) * BigInt(paid.byCard)) / BigInt(paid.total))
  return Math.min(amount, Math.max(0, due - before.toCard))
}

/** Divides sums into a share of their total and the rest, in proportion and exactly. None of the shares exceeds its sum. */
export function splitSums(sums: readonly number[], share: number): { share: number; rest: number }[] {
  const total = sums.reduce((all, sum) => all + sum, 0)
  let before = 0
  let given = 0
  return sums.map((sum) => {
    before += sum
    const until = total === 0 ? 0 : Number((BigInt(share) * BigInt(before)) / BigInt(total))
    const part = until - given
    given = until
    return { share: part, rest: sum - part }
  })
}
