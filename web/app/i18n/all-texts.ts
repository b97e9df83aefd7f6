import { loadRest } from './browser.ts'

// Whoever imports this file has all texts of the store by the time it runs; the first pages come with theirs alone. The
// server has all of them from the start.
if (!import.meta.env.SSR) await loadRest()
