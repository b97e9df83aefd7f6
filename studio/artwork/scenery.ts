import type { Stone } from './cuts.ts'
import { onScreen, type Placing } from './gem.ts'
import { hull, outline, type Point, randomFrom, short, turned } from './geometry.ts'

/** A star of light with its glow, in a box of 24 by 24 around nothing. */
export const GLINT_SHAPE = [
  '<radialGradient id="w"><stop stop-color="#fff" stop-opacity=".8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>',
  '<g id="g" fill="#fff"><circle r="7" fill="url(#w)"/><path d="M0-14Q.3-.3 10 0 .3.3 0 14-.3.3-10 0-.3-.3 0-14z"/></g>',
].join('')

/** The ground is the inside of a far larger stone: two rings of panes around the one in front, lit by the gradient #b. */
export function panes({ at, radius, seed }: Placing): string {
  const random = randomFrom(seed * 7 + 1)
  const ring = (count: number, reach: number, start: number) =>
    Array.from({ length: count }, (_, i) => {
      const angle = ((i + start + (random() - 0.5) * 0.5) / count) * 2 * Math.PI
      const far = reach * (0.9 + random() * 0.2)
      return { x: at.x + far * 1.2 * Math.cos(angle), y: at.y + far * Math.sin(angle) }
    })
  const inner = ring(9, radius * 1.18, 0)
  const outer = ring(9, radius * 2.85, 0.5)
  const facets = inner.flatMap((near, i) => {
    const nextNear = inner[(i + 1) % inner.length] ?? near
    const far = outer[i] ?? near
    const nextFar = outer[(i + 1) % outer.length] ?? far
    return [
      [at, near, nextNear],
      [near, far, nextNear],
      [nextNear, far, nextFar],
    ]
  })
  const lit = facets.map((corners) => ({ light: random(), d: outline(corners) }))
  const between = (from: number, to: number) =>
    lit
      .filter(({ light }) => light >= from && light < to)
      .map(({ d }) => d)
      .join('')
  return [
    `<path fill="url(#b)" d="${between(0.7, 1)}"/>`,
    `<path fill="url(#b)" fill-opacity=".45" d="${between(0.45, 0.7)}"/>`,
    `<path fill-opacity=".16" d="${between(0, 0.2)}"/>`,
  ].join('')
}

/** One light over the whole stone, the gradient #l, ties its facets together. */
export function gloss(stone: Stone, placing: Placing, light = 'url(#l)'): string {
  const corners = stone.facets.flatMap((facet) => facet.corners.map((p) => onScreen(turned(p, placing.turn), placing)))
  return `<path fill="${light}" d="${outline(hull(corners))}"/>`
}

/** The far side of the stone, seen through its table: a rosette of panes, lighter and darker. */
export function rosette(stone: Stone, placing: Placing): string {
  const height = stone.table[0]?.z ?? 0
  const random = randomFrom(placing.seed * 5 + 3)
  const sides = stone.table.length
  const seen = (p: Point) => onScreen(turned({ ...p, z: height }, placing.turn), placing)
  const middle = seen({ x: 0, y: 0 })
  const corner = (i: number) => seen(stone.table[i % sides] ?? middle)
  const petal = (i: number) => {
    const [a, b] = [stone.table[i % sides], stone.table[(i + 1) % sides]]
    return seen({ x: ((a?.x ?? 0) + (b?.x ?? 0)) * 0.27, y: ((a?.y ?? 0) + (b?.y ?? 0)) * 0.27 })
  }
  const facets = stone.table.flatMap((_, i) => [
    [corner(i), corner(i + 1), petal(i)],
    [petal(i), corner(i + 1), petal(i + 1)],
    [petal(i), petal(i + 1), middle],
  ])
  const lit = facets.map((corners) => ({ light: random(), d: outline(corners) }))
  const paths = (wanted: (light: number) => boolean) => lit.filter(({ light }) => wanted(light)).map(({ d }) => d)
  return [
    `<path fill="#fff" fill-opacity=".4" d="${paths((light) => light > 0.78).join('')}"/>`,
    `<path fill="#fff" fill-opacity=".16" d="${paths((light) => light > 0.5 && light <= 0.78).join('')}"/>`,
    `<path fill="#1a1470" fill-opacity=".34" d="${paths((light) => light < 0.3).join('')}"/>`,
  ].join('')
}

/** Two stars of light, where the stone meets the lamp and where the light leaves it. */
export function glints(stone: Stone, placing: Placing): string {
  const seen = (points: readonly { x: number; y: number; z: number }[]) =>
    points.map((p) => onScreen(turned(p, placing.turn), placing))
  const rim = seen(stone.facets.flatMap(({ corners }) => corners).filter((p) => p.z === 0))
  const upperLeft = lowest(rim, (p) => p.y + p.x * 0.9)
  const upperRight = lowest(seen(stone.table), (p) => p.y - p.x * 0.7)
  return star(upperLeft, placing.radius / 76) + star(upperRight, placing.radius / 134)
}

export function star({ x, y }: Point, scale: number): string {
  return `<use href="#g" transform="translate(${short(x, 0)} ${short(y, 0)})scale(${short(scale)})"/>`
}

function lowest(points: readonly Point[], measure: (p: Point) => number): Point {
  return points.reduce((best, p) => (measure(p) < measure(best) ? p : best))
}
