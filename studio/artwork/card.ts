import { mix } from './colour.ts'
import type { Stone } from './cuts.ts'
import { drawGem, onScreen, onTable, type Palette, type Placing } from './gem.ts'
import { outline, randomFrom, short, turned } from './geometry.ts'
import { GLINT_SHAPE, glints, gloss, panes } from './scenery.ts'

export interface Card {
  slug: string
  stone: Stone
  palette: Palette
  placing: Placing
  /** Sky: the lit middle of the card and its far corners. */
  sky: { lit: string; far: string }
  emblem: { path: string; size: number; face: readonly [string, string] }
}

const WIDTH = 800
const HEIGHT = 600
const EMBLEM_HEIGHT = 0.09
const EMBLEM_LAYERS = 9

/** One product as a 4:3 card: a cut stone in the brand's colour with the emblem standing on its table. */
export function drawCard(card: Card): string {
  const { stone, palette, placing } = card
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    definitions(card),
    `<path fill="url(#s)" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
    panes(placing),
    `<circle cx="${placing.at.x}" cy="${placing.at.y}" r="${short(placing.radius * 1.5)}" fill="url(#h)"/>`,
    sparks(placing, 'behind'),
    shadow(placing),
    `<g stroke="#fff" stroke-opacity=".22" stroke-linejoin="round">${drawGem(stone, palette, placing, 'url(#t)')}</g>`,
    gloss(stone, placing),
    tableLight(card),
    glints(stone, placing),
    emblem(card),
    sparks(placing, 'before'),
    '</svg>\n',
  ].join('')
}

function definitions({ palette: { tones, fire }, placing, sky, emblem: { path, face } }: Card): string {
  const { x, y } = placing.at
  const [dark, , mid, pale] = tones
  return [
    '<defs>',
    `<radialGradient id="s" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y - 30}" r="560"><stop stop-color="${sky.lit}"/>`,
    `<stop offset=".45" stop-color="${mix(sky.lit, sky.far, 0.55)}"/><stop offset="1" stop-color="${sky.far}"/></radialGradient>`,
    `<radialGradient id="b" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="520"><stop offset=".25" stop-color="${pale}" stop-opacity=".42"/>`,
    `<stop offset="1" stop-color="${pale}" stop-opacity=".03"/></radialGradient>`,
    `<radialGradient id="h"><stop offset=".45" stop-color="${pale}" stop-opacity=".42"/><stop offset="1" stop-color="${mid}" stop-opacity="0"/></radialGradient>`,
    `<radialGradient id="d"><stop stop-color="${mix(sky.far, '#000000', 0.5)}" stop-opacity=".75"/><stop offset="1" stop-color="${sky.far}" stop-opacity="0"/></radialGradient>`,
    // Stops this close make the bands of a reflection without drawing any.
    `<linearGradient id="t" x1="0" y1="0" x2=".7" y2="1"><stop stop-color="${mix(mid, '#ffffff', 0.34)}"/><stop offset=".3" stop-color="${mix(mid, '#ffffff', 0.04)}"/>`,
    `<stop offset=".306" stop-color="${mix(mid, dark, 0.3)}"/><stop offset=".52" stop-color="${mix(mid, dark, 0.62)}"/>`,
    `<stop offset=".526" stop-color="${mix(mid, dark, 0.45)}"/><stop offset="1" stop-color="${mix(mid, dark, 0.9)}"/></linearGradient>`,
    `<linearGradient id="e" x1="0" y1="0" x2=".4" y2="1"><stop stop-color="${face[0]}"/><stop offset="1" stop-color="${face[1]}"/></linearGradient>`,
    '<linearGradient id="l" x1=".1" y1="0" x2=".8" y2="1"><stop stop-color="#fff" stop-opacity=".3"/><stop offset=".42" stop-color="#fff" stop-opacity="0"/>',
    `<stop offset=".6" stop-color="${dark}" stop-opacity="0"/><stop offset="1" stop-color="${dark}" stop-opacity=".38"/></linearGradient>`,
    '<filter id="f" x="-.2" y="-.2" width="1.4" height="1.4"><feGaussianBlur stdDeviation=".55"/></filter>',
    GLINT_SHAPE,
    `<path id="m" d="${path}"/>`,
    `<g id="k">${smallStone(tones, fire)}</g>`,
    '</defs>',
  ].join('')
}

/** A diamond from the side, in six facets around the middle of a box of 20 by 20. */
function smallStone([, low, mid, pale, white]: Palette['tones'], fire: string): string {
  const facets = [
    [pale, '-10-4-6-10H0L-4-4z'],
    [white, '-4-4 0-10 4-4z'],
    [fire, '4-4 0-10H6L10-4z'],
    [mid, '-10-4H-4L0 10z'],
    [pale, '-4-4H4L0 10z'],
    [low, '4-4H10L0 10z'],
  ]
  return facets.map(([fill, d]) => `<path fill="${fill}" d="M${d}"/>`).join('')
}

function shadow({ at, radius }: Placing): string {
  const [x, y] = [at.x + radius * 0.12, at.y + radius * 0.5]
  return `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(radius * 1.15)}" ry="${short(radius * 0.9)}" fill="url(#d)"/>`
}

/** What shimmers through the table from the far side of the stone, and the bright edge around it. */
function tableLight({ stone, placing }: Card): string {
  const corners = stone.table.map((p) => onScreen(turned(p, placing.turn), placing))
  const middle = onScreen(turned({ x: 0, y: 0, z: stone.table[0]?.z ?? 0 }, placing.turn), placing)
  const random = randomFrom(placing.seed * 3 + 2)
  const wedges = corners.map((corner, i) => outline([corner, corners[(i + 1) % corners.length] ?? corner, middle]))
  const bright = wedges.filter(() => random() > 0.5)
  return [
    `<path fill="#fff" fill-opacity=".08" d="${bright.join('')}"/>`,
    `<path fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="2.5" stroke-linejoin="round" d="${outline(corners)}"/>`,
  ].join('')
}

/** The emblem stands on the table: its sides are layers, its face comes last. */
function emblem({ stone, placing, palette: { tones }, emblem: { size, face } }: Card): string {
  const at = (lift: number) => onTable(stone, placing, size, lift)
  const below = {
    ...placing,
    at: { x: placing.at.x + placing.radius * 0.04, y: placing.at.y + placing.radius * 0.065 },
  }
  const layers = Array.from(
    { length: EMBLEM_LAYERS },
    (_, i) => `<use href="#m" transform="${at((i * EMBLEM_HEIGHT) / EMBLEM_LAYERS)}"/>`,
  )
  return [
    `<use href="#m" filter="url(#f)" fill="${mix(tones[0], '#000000', 0.45)}" fill-opacity=".6" transform="${onTable(stone, below, size, 0)}"/>`,
    `<g fill="${mix(face[1], tones[1], 0.62)}">${layers.join('')}</g>`,
    `<use href="#m" fill="url(#e)" transform="${at(EMBLEM_HEIGHT)}"/>`,
  ].join('')
}

/** Small stones in the air; those before the gem are nearer, so larger. */
function sparks({ seed }: Placing, depth: 'behind' | 'before'): string {
  const near = depth === 'before'
  const random = randomFrom(seed * 17 + (near ? 4 : 3))
  const stones = Array.from({ length: near ? 4 : 8 }, (_, i) => {
    // Near ones take the corners, the others the sides: none may cover another.
    const quarter = near ? i + 0.5 : Math.floor(i / 2) + (i % 2 ? 0.17 : -0.17)
    const angle = ((quarter + (random() - 0.5) * (near ? 0.26 : 0.1)) / 4) * 2 * Math.PI
    // Nearly a rectangle, so that they keep clear of the gem.
    const x = WIDTH / 2 + (near ? 330 : 300 + random() * 70) * towards(Math.cos(angle), 0.45)
    const y = HEIGHT / 2 + (near ? 232 : 235 + random() * 45) * towards(Math.sin(angle), 0.6)
    const scale = near ? 1.7 + random() * 1.7 : 0.6 + random() * 0.8
    const place = `translate(${short(x, 0)} ${short(y, 0)})rotate(${short(random() * 70 - 35, 0)})scale(${short(scale)})`
    return `<use href="#k" opacity="${near ? 1 : 0.8}" transform="${place}"/>`
  })
  return stones.join('')
}

function towards(part: number, power: number): number {
  return Math.sign(part) * Math.abs(part) ** power
}
