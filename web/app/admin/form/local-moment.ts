/** A moment as a field of the browser has it: in the operator's own time, to the minute. */
export function toLocal(at: string | null | undefined): string {
  if (!at) return ''
  const moment = new Date(at)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The moment that such a field names; null for a blank one. */
export const toMoment = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())
