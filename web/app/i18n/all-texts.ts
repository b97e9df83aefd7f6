import { loadRest } from './browser.ts'

// A module that imports this one has all texts of the store by the time it runs; the first pages come with theirs alone. The
// server has all of them from the start.
if (!import.meta.env.SSR) {
  await loadRest().catch((error: unknown) => {
    // A navigation that fails is seen to by missing-files.ts; a page that begins without its texts has to be loaded again.
    const isBeginning = !('hydrated' in document.documentElement.dataset)
    if (isBeginning) window.dispatchEvent(new CustomEvent('loadfailed', { detail: error }))
    throw error
  })
}
