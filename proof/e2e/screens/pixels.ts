import { inflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** The relative luminance of a pixel, from 0 to 1. */
  luminanceAt(x: number, y: number): number
}

const signatureBytes = 8
const channelsByColorType: Record<number, number> = { 2: 3, 6: 4 }

/** Reads a picture as the browser takes it: a PNG of eight bits a channel that is not interlaced. */
export function readPng(png: Buffer): Pixels {
  const parts: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (kind === 'IHDR') {
      ;[width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
      channels = channelsByColorType[body[9] ?? 0] ?? 0
    }
    if (kind === 'IDAT') parts.push(body)
    at += length + 12
  }
  if (channels === 0) throw new Error('not a PNG as browsers write them')
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels)
  return {
    width,
    height,
    luminanceAt: (x, y) => {
      const at = y * width * channels + x * channels
      const [red, green, blue] = [0, 1, 2].map((channel) => linear((rows[at + channel] ?? 0) / 255))
      return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
    },
  }
}

const linear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)

/** Takes back what each row of a PNG was written as: its difference from what is left of it and above. */
function unfilter(packed: Buffer, rowBytes: number, channels: number): Uint8Array {
  const height = packed.length / (rowBytes + 1)
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (rowBytes + 1)]
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x
      const left = x >= channels ? (rows[at - channels] ?? 0) : 0
      const above = y > 0 ? (rows[at - rowBytes] ?? 0) : 0
      const corner = x >= channels && y > 0 ? (rows[at - rowBytes - channels] ?? 0) : 0
      rows[at] = (packed[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner)
    }
  }
  return rows
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((one) => Math.abs(left + above - corner - one))
  if ((byLeft ?? 0) <= (byAbove ?? 0) && (byLeft ?? 0) <= (byCorner ?? 0)) return left
  return (byAbove ?? 0) <= (byCorner ?? 0) ? above : corner
}
