import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'

async function findings(page: Page, rules?: string[]): Promise<string[]> {
  // There are no frames to look into, which the other mode opens a page more for.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id} (${help}) at ${target.join(' ')} ${html.slice(0, 160)}`),
  )
}

/** Asks axe about a page as it stands: everything in the dark theme, and what depends on colours in the light one. */
export async function axeOn(page: Page): Promise<string[]> {
  await paint(page, 'dark')
  const inDark = await findings(page)
  await paint(page, 'light')
  const inLight = await findings(page, ['color-contrast', 'link-in-text-block'])
  await paint(page, 'dark')
  return [...inDark, ...inLight.map((finding) => `light: ${finding}`)]
}

const paint = (page: Page, theme: 'dark' | 'light') =>
  page.evaluate(async (name) => {
    document.documentElement.dataset.mantineColorScheme = name
    // No colour is to be caught on its way to another, and no toast half faded in.
    const changes = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(changes.map(({ finished }) => finished))
  }, theme)

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

export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
