/** An amount of a game's currency with its thousands set apart, the same in every language. */
export const gameNumber = (amount: number): string => amount.toLocaleString('en-US').replaceAll(',', '\u202F')
