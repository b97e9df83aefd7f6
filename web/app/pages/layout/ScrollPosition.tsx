import { UNSAFE_useScrollRestoration as useScrollRestoration } from 'react-router'

const storageName = 'scroll-positions'

/**
 * Restores the scroll position of a page that is reloaded. The router's own component does that with a script that throws
 * where the browser has no storage.
 */
export function ScrollPosition({ nonce }: { nonce: string | undefined }) {
  useScrollRestoration({ storageKey: storageName })
  const script = `(${scrollBack})(${JSON.stringify(storageName)})`
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
}

/** Runs in the browser, on its own: it may use nothing of this file. */
function scrollBack(name: string) {
  const entry = history.state?.key ?? Math.random().toString(36).slice(2)
  // The router notes positions under the keys of the history's entries.
  if (!history.state?.key) history.replaceState({ ...history.state, key: entry }, '')
  try {
    const position: unknown = JSON.parse(sessionStorage.getItem(name) ?? '{}')[entry]
    if (typeof position === 'number') scrollTo(0, position)
  } catch {
    // Without a storage, or with a spoilt one, the page begins at its top.
  }
}
