import type { Page } from 'playwright'

/** Collects what a page complains of from now on, in the console or by an error nobody caught. */
export function watchConsole(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself reports every refused call; those are part of some journeys.
    const isRefusedCall = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusedCall) complaints.push(message.text())
  })
  return complaints
}
