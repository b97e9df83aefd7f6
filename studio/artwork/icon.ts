import { channels } from './colour.ts'
import type { Point } from './geometry.ts'
import { markGround, markPanes } from './mark.ts'
import { encodePng } from './png.ts'

const SAMPLES = 4
const MARK_SHARE = 0.7
/** Inside the circle that is never cut off. */
const SAFE_SHARE = 0.52

/** With soft corners, or the whole square, of which phones cut what they like. */
type Tile = 'soft' | 'whole'

/** The mark on its tile as a PNG, drawn here so that no browser is needed to make it. */
export function drawIcon(size: number, tile: Tile = 'soft'): Buffer {
  const pixels = Buffer.alloc(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) pixels.set(pixelAt({ x, y }, size, tile), (y * size + x) * 4)
  }
  return encodePng(pixels, size)
}

function pixelAt({ x, y }: Point, size: number, tile: Tile): number[] {
  const share = tile === 'soft' ? MARK_SHARE : SAFE_SHARE
  const sum = [0, 0, 0, 0]
  for (let sample = 0; sample < SAMPLES ** 2; sample++) {
    const at = {
      x: (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / size,
      y: (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size,
    }
    if (tile === 'soft' && !onTile(at)) continue
    const inMark = { x: ((at.x - 0.5) / share) * 24 + 12, y: ((at.y - 0.5) / share) * 24 + 12.5 }
    const colour = markPanes.find(({ corners }) => isInside(inMark, corners))?.colour ?? markGround
    channels(colour).forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + value
    })
    sum[3] = (sum[3] ?? 0) + 1
  }
  const covered = sum[3] ?? 0
  if (covered === 0) return [0, 0, 0, 0]
  const [red, green, blue] = sum.map((value) => Math.round(value / covered))
  return [red ?? 0, green ?? 0, blue ?? 0, Math.round((covered / SAMPLES ** 2) * 255)]
}

/** A square with soft corners. */
function onTile({ x, y }: Point): boolean {
  const corner = 0.22
  const [dx, dy] = [x, y].map((v) => Math.max(0, Math.abs(v - 0.5) - (0.5 - corner)))
  return Math.hypot(dx ?? 0, dy ?? 0) <= corner
}

function isInside(p: Point, corners: readonly Point[]): boolean {
  return corners.every((corner, i) => {
    const next = corners[(i + 1) % corners.length] ?? corner
    return (next.x - corner.x) * (p.y - corner.y) - (next.y - corner.y) * (p.x - corner.x) >= 0
  })
}
