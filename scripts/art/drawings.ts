import { drawHero, drawOg } from './banner.ts'
import { drawCard } from './card.ts'
import { cards } from './cards.ts'
import { drawFavicon } from './mark.ts'

/** Every drawing of the shop by its place under web/public. */
export function everyDrawing(): Record<string, string> {
  return {
    'favicon.svg': drawFavicon(),
    'art/hero.svg': drawHero(),
    'art/og.svg': drawOg(),
    ...Object.fromEntries(cards.map((card) => [`art/${card.slug}.svg`, drawCard(card)])),
  }
}
