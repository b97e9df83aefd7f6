import type { Point, Point3 } from './geometry.ts'

/** A cut stone lying on its back in a unit circle, its table towards the viewer. */
export interface Stone {
  facets: Facet[]
  table: Point3[]
}

export interface Facet {
  corners: Point3[]
  /** The flat top is drawn apart from the rest: an emblem may stand on it. */
  isTable: boolean
}

const TABLE_HEIGHT = 0.3
const GIRDLE_DEPTH = 0.1
const CULET_DEPTH = 0.82

/** The classic cut: a star, kites, and pairs of small triangles around a table of `sides` corners. */
export function brilliant(girdle: readonly Point[], tableSize = 0.64): Stone {
  const sides = girdle.length / 2
  const edge = (i: number) => lifted(at(girdle, i), 1, 0)
  const table = Array.from({ length: sides }, (_, i) => lifted(at(girdle, 2 * i), tableSize, TABLE_HEIGHT))
  const waist = Array.from({ length: sides }, (_, i) =>
    lifted(at(girdle, 2 * i + 1), tableSize + (1 - tableSize) * 0.46, 0.19),
  )
  const crown = table.flatMap((corner, i) => [
    [corner, at(waist, i), at(table, i + 1)],
    [corner, at(waist, i - 1), edge(2 * i), at(waist, i)],
    [at(waist, i), edge(2 * i), edge(2 * i + 1)],
    [at(waist, i), edge(2 * i + 1), edge(2 * i + 2)],
  ])
  return stone(table, [...crown, ...belowGirdle(girdle)])
}

/** The emerald cut: terraces that follow the outline up to the table. */
export function step(girdle: readonly Point[], tableSize = 0.64): Stone {
  const terraces = [
    { size: 1, height: 0 },
    { size: 1 - (1 - tableSize) * 0.4, height: 0.17 },
    { size: 1 - (1 - tableSize) * 0.75, height: 0.26 },
    { size: tableSize, height: TABLE_HEIGHT },
  ].map(({ size, height }) => girdle.map((p) => lifted(p, size, height)))
  const walls = terraces.slice(1).flatMap((upper, level) => {
    const lower = at(terraces, level)
    return upper.map((corner, i) => [corner, at(lower, i), at(lower, i + 1), at(upper, i + 1)])
  })
  return stone(at(terraces, -1), [...walls, ...belowGirdle(girdle)])
}

function belowGirdle(girdle: readonly Point[]): Point3[][] {
  const culet = { x: 0, y: 0, z: -CULET_DEPTH }
  return girdle.flatMap((corner, i) => {
    const next = at(girdle, i + 1)
    const under = lifted(corner, 1, -GIRDLE_DEPTH)
    const underNext = lifted(next, 1, -GIRDLE_DEPTH)
    return [
      [lifted(corner, 1, 0), under, underNext, lifted(next, 1, 0)],
      [under, culet, underNext],
    ]
  })
}

function stone(table: Point3[], others: Point3[][]): Stone {
  const facets = others.map((corners) => ({ corners, isTable: false }))
  return { table, facets: [...facets, { corners: table, isTable: true }] }
}

function lifted(p: Point, size: number, z: number): Point3 {
  return { x: p.x * size, y: p.y * size, z }
}

/** Corners are a ring: one past the last is the first again. */
function at<T>(ring: readonly T[], index: number): T {
  const corner = ring[(index + ring.length) % ring.length]
  if (corner === undefined) throw new Error('an outline needs corners')
  return corner
}
