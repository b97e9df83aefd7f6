import { lastingStorage, visitStorage } from './browser-storage.ts'
import { announceStored, useStored } from './stored.ts'

const areas = { visit: visitStorage, always: lastingStorage }
export type StorageArea = keyof typeof areas

export const readText = (area: StorageArea, name: string): string => areas[area].getItem(name) ?? ''

/** Stores a text in the browser, for this visit or for always; an empty one is removed. */
export function keepText(area: StorageArea, name: string, text: string): void {
  const storage = areas[area]
  if (text === '') storage.removeItem(name)
  else storage.setItem(name, text)
  announceStored()
}

/** A stored text; empty on the server and until hydration. */
export const useStoredText = (area: StorageArea, name: string): string => useStored(() => readText(area, name), '')

/** The JSON in a stored text; undefined where there is none. */
export function parseStored(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The texts in a stored record; none where it is something else. */
export const textsIn = (stored: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
