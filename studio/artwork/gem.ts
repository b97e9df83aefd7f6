import { mix, shade } from './colour.ts'
import type { Stone } from './cuts.ts'
import {
  dot,
  outline,
  type Point,
  type Point3,
  randomFrom,
  short,
  type Turn,
  toNormal,
  turned,
  unit,
} from './geometry.ts'

/** Dark to light: what the facets are coloured with; `fire` flashes up in a few of them. */
export interface Palette {
  tones: readonly [string, string, string, string, string]
  fire: string
}

export interface Placing {
  at: Point
  radius: number
  turn: Turn
  seed: number
}

const LIGHT = unit({ x: -0.45, y: -0.75, z: 0.62 })
const GLINT = unit({ x: -0.25, y: -0.4, z: 1 })

/** The visible facets as paths, one for each tone, so that a gem stays a few kilobytes. */
export function drawGem(stone: Stone, palette: Palette, placing: Placing, tableFill?: string): string {
  const random = randomFrom(placing.seed)
  const byColour = new Map<string, string>()
  for (const facet of stone.facets) {
    const corners = facet.corners.map((p) => turned(p, placing.turn))
    const normal = toNormal(corners)
    const chance = random()
    if (normal.z <= 0.02) continue
    const colour = (facet.isTable && tableFill) || facetColour(palette, normal, chance)
    const path = outline(corners.map((p) => onScreen(p, placing)))
    byColour.set(colour, (byColour.get(colour) ?? '') + path)
  }
  return [...byColour].map(([fill, d]) => `<path fill="${fill}" d="${d}"/>`).join('')
}

function facetColour({ tones, fire }: Palette, normal: Point3, chance: number): string {
  const lit = Math.max(0, dot(normal, LIGHT))
  const glint = Math.max(0, dot(normal, GLINT)) ** 12
  // Light that went in above comes out again on the far side.
  const through = Math.max(0, 0.45 * normal.x + 0.75 * normal.y)
  // A stone never shades evenly: neighbours throw back different parts of the room.
  const light = 0.06 + 0.5 * lit + 0.14 * glint + 0.42 * through + (chance - 0.5) * 0.6
  const tone = shade(tones, Math.round(light * 18) / 18)
  return chance > 0.92 ? mix(tone, fire, 0.6) : tone
}

export function onScreen(p: Point, { at, radius }: Placing): Point {
  return { x: at.x + p.x * radius, y: at.y + p.y * radius }
}

/** Lays a flat drawing of 24 by 24 units on the table, `lift` radii above it. */
export function onTable(stone: Stone, placing: Placing, size: number, lift: number): string {
  const height = (stone.table[0]?.z ?? 0) + lift
  const origin = onScreen(turned({ x: 0, y: 0, z: height }, placing.turn), placing)
  const right = turned({ x: 1, y: 0, z: 0 }, { ...placing.turn, roll: 0 })
  const down = turned({ x: 0, y: 1, z: 0 }, { ...placing.turn, roll: 0 })
  const scale = (size * placing.radius) / 12
  const [a, b, c, d] = [right.x * scale, right.y * scale, down.x * scale, down.y * scale]
  const e = origin.x - 12 * (a + c)
  const f = origin.y - 12 * (b + d)
  return `matrix(${[a, b, c, d].map((n) => short(n, 3)).join(' ')} ${short(e)} ${short(f)})`
}
