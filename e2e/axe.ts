import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

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
  const inDark = await findings(page)
  await paint(page, 'light')
  const inLight = await findings(page, ['color-contrast', 'link-in-text-block'])
  await paint(page, 'dark')
  return [...inDark, ...inLight.map((finding) => `light: ${finding}`)]
}

const paint = (page: Page, theme: 'dark' | 'light') =>
  page.evaluate(async (name) => {
    document.documentElement.dataset.mantineColorScheme = name
    // No colour is to be caught on its way to another.
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
  }, theme)
