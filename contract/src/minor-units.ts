/** Major units of the wire to minor units; the caller has validated the two decimals. */
export const toMinor = (amount: number): number => Math.round(amount * 100)

/** Minor units to the major units of the wire. */
export const toMajor = (minor: number): number => minor / 100
