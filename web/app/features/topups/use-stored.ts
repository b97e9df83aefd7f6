import { useSyncExternalStore } from 'react'
import { lastingStorage, visitStorage } from '../../ui/browser-storage.ts'

/** Told to the page when one of its kept texts changes. */
const changeEvent = 'storedchange'

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changeEvent, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(changeEvent, onChange)
    window.removeEventListener('storage', onChange)
  }
}

const areas = { visit: visitStorage, always: lastingStorage }
export type StorageArea = keyof typeof areas

export const readText = (area: StorageArea, name: string): string => areas[area].getItem(name) ?? ''

/** Keeps a text in the browser, for this visit or for always; an empty one is thrown away. */
export function keepText(area: StorageArea, name: string, text: string): void {
  const storage = areas[area]
  if (text === '') storage.removeItem(name)
  else storage.setItem(name, text)
  window.dispatchEvent(new Event(changeEvent))
}

/** A kept text; empty on the server and until the page has come alive. */
export const useStoredText = (area: StorageArea, name: string): string =>
  useSyncExternalStore(
    subscribe,
    () => readText(area, name),
    () => '',
  )

/** What a kept text says, or undefined where it says nothing. */
export function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
