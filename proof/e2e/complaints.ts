import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'

/** Rules of WCAG 2.2 AA that axe leaves out unless it is told. */
const besides = ['target-size', 'label-content-name-mismatch', 'css-orientation-lock', 'p-as-heading', 'td-has-header']
const allRules: RunOptions = { rules: Object.fromEntries(besides.map((rule) => [rule, { enabled: true }])) }
const ofColours: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

type RunOptions = Parameters<AxeBuilder['options']>[0]

async function findings(page: Page, options: RunOptions): Promise<string[]> {
  // There are no frames to look into, which the other mode opens a page more for.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id} (${help}) at ${target.join(' ')} ${html.slice(0, 160)}`),
  )
}

/** Asks axe about a page as it stands: everything in the dark theme, and what depends on colours in the light one. */
export const axeOn = (page: Page): Promise<string[]> => inBothThemes(page, {}, ofColours)

/** Asks axe about a page as it stands, by every rule and in both themes. */
export const everyRuleOn = (page: Page): Promise<string[]> => inBothThemes(page, allRules, allRules)

async function inBothThemes(page: Page, dark: RunOptions, light: RunOptions): Promise<string[]> {
  await paint(page, 'dark')
  const inDark = await findings(page, dark)
  await paint(page, 'light')
  const inLight = await findings(page, light)
  await paint(page, 'dark')
  return [...inDark, ...inLight.filter((one) => !inDark.includes(one)).map((finding) => `light: ${finding}`)]
}

/** Shows the page in a theme, as its own switch does. */
export const paint = (page: Page, theme: 'dark' | 'light') =>
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
