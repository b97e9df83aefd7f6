import { gemFacets, gemTable } from '../../web/app/features/catalogue/gem-facets.ts'
import { cards } from './cards.ts'
import { mix } from './colour.ts'
import { drawMark, drawWordmark } from './mark.ts'

const WIDTH = 1200
const HEIGHT = 630
const GROUND = '#0a0b0e'
const ACCENT = '#d7ff3e'

/** The picture that links to the shop carry: the mark, the name, and the gem whose facets are the catalogue. */
export function drawOg(): string {
  const facets = gemFacets.map(({ path, tone }, at) => {
    const color = cards[at % (cards.length - 1)]?.color ?? GROUND
    return `<path fill="${shade(color, tone)}" d="${path}"/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<path fill="${GROUND}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
    `<g transform="translate(940 330)rotate(11)scale(3.6)">${facets.join('')}<path fill="${ACCENT}" d="${gemTable}"/></g>`,
    `<g transform="translate(70 250)scale(4.4)">${drawMark()}</g>`,
    `<g transform="translate(196 254)scale(.8)">${drawWordmark('#f4f5f2')}</g>`,
    '</svg>\n',
  ].join('')
}

/** Lighter where it faces the light, darker where it does not. */
const shade = (color: string, tone: number): string =>
  mix(color, tone > 0 ? '#ffffff' : '#000000', Math.abs(tone) * 0.34)
