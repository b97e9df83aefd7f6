import { cards } from './cards.ts'
import { brilliant, type Stone, step } from './cuts.ts'
import { drawGem, type Palette, type Placing } from './gem.ts'
import { type Point, short } from './geometry.ts'
import { drawMark, drawWordmark } from './mark.ts'
import { round } from './outlines.ts'
import { GLINT_SHAPE, glints, gloss, panes, rosette, star } from './scenery.ts'

interface Banner {
  width: number
  height: number
  diamond: Placing
  satellites: Satellite[]
}

interface Satellite {
  slug: string
  at: Point
  radius: number
  tip: number
  pan: number
}

const DIAMOND: Stone = brilliant(round(16))
const SMALL: Stone = step(round(6), 0.6)
const PANES_SEED = 19
const CLEAR: Palette = { tones: ['#12123f', '#2c3fb4', '#4f8bf5', '#9fdcff', '#f4fdff'], fire: '#c3a4ff' }

/** The banner of the first page: all light on the right, the left stays calm for words. */
export function drawHero(): string {
  const banner: Banner = {
    width: 1920,
    height: 510,
    diamond: { at: { x: 1400, y: 268 }, radius: 212, turn: { tip: -0.5, pan: -0.34, roll: 0.1 }, seed: 7 },
    satellites: [
      { slug: 'pubg', at: { x: 1712, y: 132 }, radius: 62, tip: -0.7, pan: -0.5 },
      { slug: 'valorant', at: { x: 1104, y: 396 }, radius: 52, tip: -0.6, pan: 0.7 },
      { slug: 'genshin-impact', at: { x: 1690, y: 392 }, radius: 46, tip: 0.5, pan: -0.5 },
      { slug: 'itunes', at: { x: 1142, y: 118 }, radius: 34, tip: -0.4, pan: 0.8 },
    ],
  }
  return drawBanner(
    banner,
    [star({ x: 1010, y: 214 }, 0.9), star({ x: 1795, y: 66 }, 1.1), star({ x: 1846, y: 292 }, 0.8)].join(''),
  )
}

/** The picture that links to the shop carry: the mark, the name, the diamond. */
export function drawOg(): string {
  const banner: Banner = {
    width: 1200,
    height: 630,
    diamond: { at: { x: 922, y: 312 }, radius: 208, turn: { tip: -0.5, pan: -0.34, roll: 0.1 }, seed: 7 },
    satellites: [
      { slug: 'pubg', at: { x: 1120, y: 108 }, radius: 52, tip: -0.7, pan: -0.5 },
      { slug: 'valorant', at: { x: 612, y: 520 }, radius: 46, tip: -0.6, pan: 0.7 },
      { slug: 'genshin-impact', at: { x: 1112, y: 508 }, radius: 42, tip: 0.5, pan: -0.5 },
    ],
  }
  const name = `<g transform="translate(76 254)scale(4.9)">${drawMark()}</g><g transform="translate(214 262)scale(.9)">${drawWordmark('#f2f6ff')}</g>`
  return drawBanner(banner, name)
}

function drawBanner({ width, height, diamond, satellites }: Banner, inFront: string): string {
  const { x, y } = diamond.at
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" preserveAspectRatio="xMaxYMid slice">`,
    '<defs>',
    `<linearGradient id="s" x1="0" x2="1"><stop stop-color="#0a0e16"/><stop offset=".5" stop-color="#0f1524"/><stop offset="1" stop-color="#151634"/></linearGradient>`,
    light('c', { x: x - 130, y: y - 70 }, 640, '#1fb6e6', 0.34),
    light('v', { x: x + 210, y: y + 90 }, 600, '#6f45f5', 0.46),
    `<radialGradient id="b" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="860"><stop offset=".15" stop-color="#8fb8ff" stop-opacity=".3"/><stop offset=".6" stop-color="#8fb8ff" stop-opacity=".07"/><stop offset="1" stop-color="#8fb8ff" stop-opacity="0"/></radialGradient>`,
    '<linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#5ef0ff" stop-opacity=".6"/><stop offset=".45" stop-color="#5ef0ff" stop-opacity="0"/>',
    '<stop offset=".55" stop-color="#7c3cff" stop-opacity=".1"/><stop offset="1" stop-color="#6a1fe6" stop-opacity=".72"/></linearGradient>',
    '<linearGradient id="t" x1="0" y1="0" x2=".7" y2="1"><stop stop-color="#f4fdff"/><stop offset=".34" stop-color="#a9e8ff"/><stop offset=".344" stop-color="#5aa6f7"/>',
    '<stop offset=".56" stop-color="#3a63dc"/><stop offset=".564" stop-color="#6ba0ff"/><stop offset="1" stop-color="#4a3fd0"/></linearGradient>',
    '<linearGradient id="q" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".5"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#0a0720" stop-opacity=".5"/></linearGradient>',
    GLINT_SHAPE,
    '</defs>',
    `<path fill="url(#s)" d="M0 0h${width}v${height}H0z"/>`,
    panes({ ...diamond, radius: diamond.radius * 1.25, seed: PANES_SEED }),
    `<path fill="url(#c)" d="M0 0h${width}v${height}H0z"/><path fill="url(#v)" d="M0 0h${width}v${height}H0z"/>`,
    `<g stroke="#fff" stroke-opacity=".35" stroke-linejoin="round">${drawGem(DIAMOND, CLEAR, diamond, 'url(#t)')}</g>`,
    rosette(DIAMOND, diamond),
    gloss(DIAMOND, diamond),
    glints(DIAMOND, diamond),
    ...satellites.map(drawSatellite),
    inFront,
    '</svg>\n',
  ].join('')
}

function drawSatellite({ slug, at, radius, tip, pan }: Satellite): string {
  const palette = cards.find((card) => card.slug === slug)?.palette ?? CLEAR
  const placing = { at, radius, turn: { tip, pan, roll: 0.3 }, seed: radius }
  return `<g stroke="#fff" stroke-opacity=".2" stroke-width=".7" stroke-linejoin="round">${drawGem(SMALL, palette, placing)}</g>${gloss(SMALL, placing, 'url(#q)')}`
}

function light(id: string, { x, y }: Point, reach: number, colour: string, strength: number): string {
  return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${short(x)}" cy="${short(y)}" r="${reach}"><stop stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`
}
