import { startStore } from './start-store.ts'

/** One store for all journeys, at STORE_URL. A journey that stops its store starts one of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const store = await startStore()
  process.env.STORE_URL = store.url
  return () => store.stop()
}
