/** The time of day as the store sees it. Money and holds go by the database's clock instead. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
