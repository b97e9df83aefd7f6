import type { Point } from './geometry.ts'

/** Girdles of stones within a unit circle, clockwise on the screen. */
export const girdles = {
  round: ring(8, () => 1),
  rounder: ring(10, () => 1),
  hexagon: ring(6, () => 1),
  square: rectangle(0.8, 0.8, 0.26),
  emerald: rectangle(1, 0.72, 0.3),
  baguette: rectangle(0.6, 1, 0.2),
  tablet: rectangle(1, 0.86, 0.5),
  shield: points([-0.8, -0.7], [0, -1], [0.8, -0.7], [0.72, 0.16], [0, 1], [-0.72, 0.16]),
  kite: points([0, -1], [0.74, -0.3], [0.4, 0.42], [0, 1], [-0.4, 0.42], [-0.74, -0.3]),
  pear: points([0, -1.1], [0.5, -0.3], [0.8, 0.3], [0.52, 0.82], [0, 1], [-0.52, 0.82], [-0.8, 0.3], [-0.5, -0.3]),
  marquise: points([-1.2, 0], [-0.6, -0.5], [0, -0.66], [0.6, -0.5], [1.2, 0], [0.6, 0.5], [0, 0.66], [-0.6, 0.5]),
  trillion: points([0, -1], [0.72, -0.28], [0.9, 0.62], [0, 0.84], [-0.9, 0.62], [-0.72, -0.28]),
  arrow: points([-1, -0.8], [0.2, -0.8], [1.1, 0], [0.2, 0.8], [-1, 0.8], [-0.4, 0]),
  star: ring(10, (at) => (at % 2 === 0 ? 1.1 : 0.74)),
  shard: points([-0.3, -1.1], [0.5, -0.7], [0.9, 0.5], [0.1, 1.1], [-0.7, 0.6], [-0.8, -0.3]),
  side: points([-0.6, -0.8], [0, -0.92], [0.6, -0.8], [1.05, -0.2], [0, 1.05], [-1.05, -0.2]),
} satisfies Record<string, Point[]>

function points(...corners: [x: number, y: number][]): Point[] {
  return corners.map(([x, y]) => ({ x, y }))
}

/** A rectangle with its corners taken off. */
function rectangle(x: number, y: number, bevel: number): Point[] {
  return points(
    [bevel - x, -y],
    [x - bevel, -y],
    [x, bevel - y],
    [x, y - bevel],
    [x - bevel, y],
    [bevel - x, y],
    [-x, y - bevel],
    [-x, bevel - y],
  )
}

function ring(corners: number, radius: (at: number) => number): Point[] {
  return Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * at) / corners - Math.PI / 2
    return { x: radius(at) * Math.cos(angle), y: radius(at) * Math.sin(angle) }
  })
}
