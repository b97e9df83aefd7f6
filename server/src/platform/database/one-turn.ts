import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Makes a look-up that sends all that is asked for in one turn of the event loop in one statement: `read` gets each key
 * once, and returns what it found by key. Nothing is kept: each is read after it was asked for. A statement that fails
 * rejects all who asked in its turn.
 */
export function readInOneTurn<Key, Found>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  let asked: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Found>> } | undefined
  const ask = async (keys: ReadonlySet<Key>) => {
    await nextTurn()
    asked = undefined
    return read([...keys])
  }
  return async (key) => {
    if (!asked) {
      const keys = new Set<Key>()
      asked = { keys, found: ask(keys) }
    }
    asked.keys.add(key)
    return (await asked.found).get(key)
  }
}
