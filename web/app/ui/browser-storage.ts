/** A place in the browser for texts under names. */
export interface TextStorage {
  getItem(name: string): string | null
  setItem(name: string, text: string): void
  removeItem(name: string): void
}

/**
 * A storage of the browser that can always be read and written. Browsers that block the data of sites throw at the first
 * touch of it, some views inside other apps have none, and a full one refuses new texts: what it does not take is
 * remembered for as long as the page lives.
 */
function safeStorage(open: () => TextStorage | null): TextStorage {
  const remembered = new Map<string, string>()

  /** Does something with the browser's own storage; answers undefined where that is impossible. */
  function attempt<Answer>(use: (storage: TextStorage) => Answer): Answer | undefined {
    try {
      const storage = open()
      return storage ? use(storage) : undefined
    } catch {
      return undefined
    }
  }

  const removeStored = (name: string) => attempt((storage) => storage.removeItem(name))
  return {
    getItem: (name) => remembered.get(name) ?? attempt((storage) => storage.getItem(name)) ?? null,
    setItem(name, text) {
      remembered.delete(name)
      const isStored = attempt((storage) => {
        storage.setItem(name, text)
        return true
      })
      if (isStored) return
      // An older text must not come back with the next page as if it were the latest.
      removeStored(name)
      remembered.set(name, text)
    },
    removeItem(name) {
      remembered.delete(name)
      removeStored(name)
    },
  }
}

/** Kept for every visit, and shared by the tabs. */
export const lastingStorage = safeStorage(() => localStorage)

/** Kept for this visit, in this tab. */
export const visitStorage = safeStorage(() => sessionStorage)
