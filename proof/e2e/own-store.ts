import { test as base } from '@playwright/test'
import { startStore } from './start-store.ts'

/** A test with a store of its file's own: what an owner changes there is on every page of a store. */
export const ownStoreTest = base.extend<object, { address: string }>({
  address: [
    async ({ browser: _ }, use) => {
      const store = await startStore()
      try {
        await use(store.url)
      } finally {
        await store.stop()
      }
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ address }, use) => use(address),
})
