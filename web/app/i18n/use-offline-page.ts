import { useEffect, useRef } from 'react'
import { useLanguage } from './use-language.ts'

/** Has the service worker keep the page for the time without a network, in the language of the visitor. */
export function useOfflinePage(): void {
  const language = useLanguage()
  const keptIn = useRef(language)

  useEffect(() => {
    // Only pages with HTTPS have it; in development it would be in the way.
    if (!import.meta.env.PROD || !navigator.serviceWorker) return
    const register = () => navigator.serviceWorker.register('/sw.js').catch(browserShowsItsOwn)
    if (document.readyState === 'complete') void register()
    else window.addEventListener('load', register, { once: true })
    return () => window.removeEventListener('load', register)
  }, [])

  useEffect(() => {
    if (language === keptIn.current || !window.isSecureContext) return
    keptIn.current = language
    keepOfflinePage().catch(browserShowsItsOwn)
  }, [language])
}

/** Fails where the browser keeps nothing for sites. */
async function keepOfflinePage(): Promise<void> {
  const cache = await caches.open('offline')
  await cache.add('/offline.html')
}

/** Without ours there is the browser's page for the time without a network. */
const browserShowsItsOwn = () => {}
