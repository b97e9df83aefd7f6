import type { Point } from './geometry.ts'

/** Girdle outlines within a unit circle, clockwise on the screen. Brilliant cuts need an even number of corners. */
export function round(corners: number): Point[] {
  return ring(corners, () => 1)
}

/** Between a circle (2) and a square (large): the pillow shape of a cushion cut. */
export function cushion(corners: number, squareness: number): Point[] {
  return ring(corners, (angle) => {
    const c = Math.abs(Math.cos(angle)) ** squareness
    const s = Math.abs(Math.sin(angle)) ** squareness
    return (c + s) ** (-1 / squareness)
  })
}

/** A rectangle with its corners taken off. */
export function octagon(width: number, height: number, bevel: number): Point[] {
  const [x, y] = [width, height]
  return [
    { x: bevel - x, y: -y },
    { x: x - bevel, y: -y },
    { x, y: bevel - y },
    { x, y: y - bevel },
    { x: x - bevel, y },
    { x: bevel - x, y },
    { x: -x, y: y - bevel },
    { x: -x, y: bevel - y },
  ]
}

/** Three soft corners, one of them down: a shield. */
export function shield(corners: number): Point[] {
  return ring(corners, (angle) => 0.9 + 0.13 * Math.sin(3 * angle + Math.PI))
}

/** Round at the bottom, drawn to a point at the top: a drop, or a flame. */
export function drop(corners: number): Point[] {
  return ring(corners, (angle) => 0.84 + 0.32 * Math.max(0, -Math.sin(angle)) ** 4)
}

/** Drawn to a point at either side: a marquise. */
export function marquise(corners: number): Point[] {
  return ring(corners, (angle) => 0.78 + 0.22 * Math.abs(Math.cos(angle)) ** 3)
}

/** Three bulging sides, one corner up. */
export function trillion(corners: number): Point[] {
  return ring(corners, (angle) => 0.86 - 0.14 * Math.sin(3 * angle + Math.PI))
}

/** Petals around the middle. */
export function flower(corners: number, petals: number): Point[] {
  return ring(corners, (angle) => 0.94 + 0.06 * Math.cos(petals * (angle + Math.PI / 2)))
}

function ring(corners: number, radius: (angle: number) => number): Point[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners - Math.PI / 2
    return { x: radius(angle) * Math.cos(angle), y: radius(angle) * Math.sin(angle) }
  })
}
