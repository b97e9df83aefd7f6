export interface Point {
  x: number
  y: number
}

export interface Point3 extends Point {
  z: number
}

/** Radians around the horizontal axis, the vertical one, and the line of sight. */
export interface Turn {
  tip: number
  pan: number
  roll: number
}

/** Right-handed with y down as in SVG; z comes towards the viewer, the projection just drops it. */
export function turned(p: Point3, { tip, pan, roll }: Turn): Point3 {
  const rolled = {
    x: p.x * Math.cos(roll) - p.y * Math.sin(roll),
    y: p.x * Math.sin(roll) + p.y * Math.cos(roll),
    z: p.z,
  }
  const tipped = {
    x: rolled.x,
    y: rolled.y * Math.cos(tip) - rolled.z * Math.sin(tip),
    z: rolled.y * Math.sin(tip) + rolled.z * Math.cos(tip),
  }
  return {
    x: tipped.x * Math.cos(pan) + tipped.z * Math.sin(pan),
    y: tipped.y,
    z: tipped.z * Math.cos(pan) - tipped.x * Math.sin(pan),
  }
}

export function toNormal([a, b, c]: readonly Point3[]): Point3 {
  if (!a || !b || !c) throw new Error('a facet needs three corners')
  const u = { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z }
  const v = { x: c.x - a.x, y: c.y - a.y, z: c.z - a.z }
  return unit({ x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x })
}

export function unit(v: Point3): Point3 {
  const length = Math.hypot(v.x, v.y, v.z) || 1
  return { x: v.x / length, y: v.y / length, z: v.z / length }
}

export function dot(a: Point3, b: Point3): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

/** The outermost points, clockwise: Andrew's monotone chain. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  const half = (way: readonly Point[]) => {
    const chain: Point[] = []
    for (const p of way) {
      while (chain.length > 1 && !turnsRight(chain.at(-2), chain.at(-1), p)) chain.pop()
      chain.push(p)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

function turnsRight(a: Point | undefined, b: Point | undefined, c: Point): boolean {
  if (!a || !b) return true
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
}

/** mulberry32: the artwork must come out the same on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function short(n: number, digits = 1): string {
  const text = n.toFixed(digits)
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return trimmed === '-0' ? '0' : trimmed.replace(/^(-?)0\./, '$1.')
}

/** A closed outline, in relative steps because they are shorter to store. */
export function outline(points: readonly Point[]): string {
  let at = { x: 0, y: 0 }
  const steps = points.map((p, i) => {
    const to = { x: Math.round(p.x * 10) / 10, y: Math.round(p.y * 10) / 10 }
    const step = pair(to.x - at.x, to.y - at.y)
    at = to
    return `${i === 0 ? 'M' : i === 1 ? 'l' : ' '}${step}`
  })
  return `${steps.join('')}z`.replaceAll(' -', '-')
}

function pair(x: number, y: number): string {
  const second = short(y)
  return `${short(x)}${second.startsWith('-') ? '' : ' '}${second}`
}
