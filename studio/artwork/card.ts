import { brightness, mix } from './colour.ts'
import { outline, type Point, short } from './geometry.ts'
import { drawUnit, type Letter, type Shape } from './lettering.ts'

export interface Card {
  slug: string
  /** The product's flat colour; that of its row in the demonstration. */
  color: string
  /** The girdle of the stone, within a unit circle. */
  girdle: readonly Point[]
  /** How large the table is, and how far it lies from the middle. */
  table: { size: number; shift: Point }
  /** Where the stone lies, how large it is and how far it is turned, in degrees. */
  stone: { at: Point; radius: number; turn: number }
  /** What is bought, as huge letters or a shape: its top left corner and its height. */
  unit: { word: readonly Letter[] | Shape; at: Point; height: number }
}

const WIDTH = 800
const HEIGHT = 600
/** Light falls from the upper left. */
const LIGHT = { x: -0.5, y: -0.87 }
const DEEPEST = 0.42

/** One product as a 4:3 card: one giant cut in its colour, cropped by the edges, and the unit engraved under it. */
export function drawCard(card: Card): string {
  const { word, at, height } = card.unit
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<path fill="${card.color}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
    `<path fill-opacity=".34" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
    ...drawStone(card),
    `<g transform="translate(${at.x} ${at.y})scale(${short(height / 100, 2)})">${drawUnit(word, toPaint(card))}</g>`,
    drawGloss(card),
    '</svg>\n',
  ].join('')
}

/** The facets of the stone from the girdle to the table, each as bright as it is turned to the light. */
function drawStone(card: Card): string[] {
  const { color, girdle } = card
  const edge = girdle.map((p) => place(p, card))
  const table = tableCorners(card)
  const facets = edge.flatMap((corner, i) => {
    const next = edge[(i + 1) % edge.length] ?? corner
    const [near, far] = [table[i] ?? corner, table[(i + 1) % table.length] ?? corner]
    return [
      [corner, next, near],
      [next, far, near],
    ]
  })
  const byTone = Map.groupBy(facets, (facet) => toTone(facet, card.stone.at))
  return [
    `<path fill="${color}" d="${outline(edge)}"/>`,
    ...[...byTone].map(([tone, same]) => `<path ${toShade(tone)} d="${same.map(outline).join('')}"/>`),
    `<path ${toShade(0.14)} d="${outline(table)}"/>`,
  ]
}

/** Nearly black or nearly white, with a breath of the colour it stands on. The facets of a shape want to be light. */
function toPaint({ color, unit: { word } }: Card): string {
  const isDark = brightness(color) > (typeof word === 'string' ? 0.45 : 0.3)
  return isDark ? mix(color, '#000000', 0.88) : mix(color, '#ffffff', 0.94)
}

const tableCorners = (card: Card): Point[] =>
  card.girdle.map(({ x, y }) => {
    const { size, shift } = card.table
    return place({ x: x * size + shift.x, y: y * size + shift.y }, card)
  })

/** One light over half of everything, along 45 degrees, so that the unit lies in the stone. */
function drawGloss({ stone: { at } }: Card): string {
  const x = Math.round(at.x + 60)
  return `<path fill="#fff" fill-opacity=".13" d="M${x - 620} 0H${x}L${x - HEIGHT} ${HEIGHT}H${x - 620 - HEIGHT}Z"/>`
}

function place({ x, y }: Point, { stone: { at, radius, turn } }: Card): Point {
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { x: at.x + radius * (x * cos - y * sin), y: at.y + radius * (x * sin + y * cos) }
}

/** From -1, turned away from the light, to 1; in few steps, so that facets are seen as facets. */
function toTone(facet: readonly Point[], middle: Point): number {
  const centre = facet.reduce((sum, p) => ({ x: sum.x + p.x / facet.length, y: sum.y + p.y / facet.length }), {
    x: 0,
    y: 0,
  })
  const [dx, dy] = [centre.x - middle.x, centre.y - middle.y]
  const length = Math.hypot(dx, dy) || 1
  return Math.round(((dx * LIGHT.x + dy * LIGHT.y) / length) * 4) / 4
}

/** White in the light, black away from it, nothing in between. */
function toShade(tone: number): string {
  const strength = short(Math.abs(tone) * DEEPEST + 0.03, 2)
  return tone > 0 ? `fill="#fff" fill-opacity="${strength}"` : `fill-opacity="${strength}"`
}
