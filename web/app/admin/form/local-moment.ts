/** A moment as a field of the browser has it, to the minute: in the operator's own time, or in that of another zone. */
export function toLocal(at: string | null | undefined, timeZone?: string): string {
  if (!at) return ''
  // The Swedish form is that of such a field, but for a space.
  return new Date(at).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').slice(0, 16)
}

/** The moment that such a field names; null for a blank one. Of an hour that a change of the clocks leaves out, the next one. */
export function toMoment(local: string, timeZone?: string): string | null {
  if (local === '') return null
  const wanted = Date.parse(`${local.slice(0, 16)}Z`)
  const read = (at: number) => Date.parse(`${toLocal(new Date(at).toISOString(), timeZone)}Z`)
  // How far the zone is ahead differs around a change of the clocks: the second step is from the right side of it.
  const near = wanted - (read(wanted) - wanted)
  return new Date(near + wanted - read(near)).toISOString()
}
