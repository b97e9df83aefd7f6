/** Something read from the database that every page needs. */
export interface Fresh<Value> {
  /** Returns what is in force; while it can't be read, what was read last. It never rejects. */
  read(): Promise<Value>
  /** Marks what was read as out of date. */
  clear(): void
}

/** Keeps what `load` reads for `freshMs`, so that no page costs a read of it; `first` stands until the first read succeeds. */
export function keepFresh<Value>(
  load: () => Promise<Value>,
  { first, freshMs, now = () => performance.now() }: { first: Value; freshMs: number; now?: () => number },
): Fresh<Value> {
  let value = first
  let readAt = Number.NEGATIVE_INFINITY
  let changes = 0
  return {
    async read() {
      if (now() - readAt < freshMs) return value
      const [startedAt, changesBefore] = [now(), changes]
      try {
        const read = await load()
        // A read that was under way when it changed may have missed the change.
        if (changes === changesBefore) [value, readAt] = [read, startedAt]
        return read
      } catch {
        return value
      }
    },
    clear() {
      changes++
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
