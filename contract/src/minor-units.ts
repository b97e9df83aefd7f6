/** Converts the wire's major units to minor units; the caller has validated the two decimals. */
export const toMinor = (amount: number): number => Math.round(amount * 100)

/** Converts minor units to the wire's major units. */
export const toMajor = (minor: number): number => minor / 100
