import { Failure } from '@olmos/contract/failure'
import { pictureBytesMax } from '@olmos/contract/picture-address'
import type { PictureFault, PictureUse } from '@olmos/contract/pictures'
import type { Sharp } from 'sharp'
import { SERVER_LIMITS } from '../../limits.ts'
import { createTurns } from '../../platform/http/rate-limit.ts'

interface MadePicture {
  type: 'webp' | 'png'
  /** How large the large one is, in pixels. */
  width: number
  height: number
  large: Buffer
  small: Buffer
}

interface Box {
  width: number
  height: number
}

const square = (side: number): Box => ({ width: side, height: side })

/** What a picture has to fit into, in pixels: two or three of them for each that a page gives it. */
const boxes: Readonly<Record<PictureUse, { large: Box; small: Box }>> = {
  product: { large: square(1024), small: square(512) },
  logo: { large: { width: 480, height: 128 }, small: { width: 240, height: 64 } },
  icon: { large: square(512), small: square(192) },
}

/**
 * Makes the function that draws an uploaded file again, as a large and a small picture without anything else that was in the
 * file; it refuses what is no picture, or could be too much. One is drawn at a time, on a thread that no sale waits for, and
 * others wait or are refused with OVERLOADED.
 */
export function createPictureMaker(): (bytes: Buffer, use: PictureUse) => Promise<MadePicture> {
  const inTurn = createTurns({
    atOnce: 1,
    waitingAtMost: SERVER_LIMITS.picturesWaiting,
    waitAtMostMs: SERVER_LIMITS.pictureTurnMs,
    refusal: 'too many pictures at once',
  })
  return async (bytes, use) => {
    const fault = findFault(bytes)
    if (fault) throw refuse(fault)
    return inTurn(() => drawPicture(bytes, use))
  }
}

const refuse = (content: PictureFault): Failure => new Failure('VALIDATION_FAILED', { content })

/** How files begin, in hexadecimal: png, jpeg, and webp, which has its length in between. */
const beginning = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/

/** Reads the first bytes only: what a file is called, and what a browser says of it, counts for nothing. */
function findFault(bytes: Buffer): PictureFault | undefined {
  if (bytes.length === 0) return 'picture_empty'
  if (bytes.length > pictureBytesMax) return 'picture_too_large'
  if (beginning.test(bytes.toString('hex', 0, 12))) return undefined
  if (!isSvg(bytes)) return 'picture_unknown'
  return unsafeInSvg.test(bytes.toString('utf8')) ? 'picture_unsafe' : undefined
}

/** Whether the first element is an svg, behind what may stand before it. */
const isSvg = (bytes: Buffer): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/.test(
    bytes.toString('utf8', 0, 8 * 1024),
  )

/**
 * What an svg could run, load from elsewhere, or make endless work of. None of it would reach a browser, because the drawing
 * is served as a picture; a file that has it is no logo.
 */
const unsafeInSvg =
  /<(?:[\w-]+:)?(?:script|foreignObject|image|feImage|filter|iframe|audio|video)\b|<!ENTITY|<\?xml-stylesheet|\bon\w+\s*=|\bhref\s*=\s*(?!["']#|\s)|url\(\s*(?!["']?#|\s)|@import/i

/** Loads sharp when the first picture comes, as nothing else needs its memory. It opens four formats, and no files or addresses. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`) })
  return sharp
}

async function drawPicture(bytes: Buffer, use: PictureUse): Promise<MadePicture> {
  const sharp = await loadSharp()
  const { large, small } = boxes[use]
  // Who claims too many pixels is refused before one of them is read.
  const options = { limitInputPixels: SERVER_LIMITS.picturePixelsMax, failOn: 'error' } as const
  try {
    const { format, width, height } = await sharp(bytes, options).metadata()
    // An svg is drawn as large as it is needed; 72 dots to the inch is the size it gives itself.
    const scale = Math.min(large.width / width, large.height / height)
    const density = format === 'svg' ? { density: Math.min(Math.max(72 * scale, 1), 100_000) } : {}
    const { data, info } = await fit(sharp(bytes, { ...options, ...density }).autoOrient(), large, use)
      .timeout({ seconds: SERVER_LIMITS.pictureSeconds })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const drawn = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    return {
      type: use === 'icon' ? 'png' : 'webp',
      width: info.width,
      height: info.height,
      large: await encode(drawn(), use),
      small: await encode(fit(drawn(), small, use), use),
    }
  } catch (error) {
    throw Object.assign(refuse(toFault(error)), { cause: error })
  }
}

/** An icon fills its square, with nothing around what is no square; other pictures are never made larger. */
const fit = (picture: Sharp, box: Box, use: PictureUse): Sharp =>
  use === 'icon'
    ? picture.resize({ ...box, fit: 'contain', background: '#0000' })
    : picture.resize({ ...box, fit: 'inside', withoutEnlargement: true })

const encode = (picture: Sharp, use: PictureUse): Promise<Buffer> =>
  (use === 'icon' ? picture.png({ palette: true }) : picture.webp({ quality: 82 })).toBuffer()

function toFault(error: unknown): PictureFault {
  const said = String(error)
  if (said.includes('pixel limit')) return 'picture_too_many_pixels'
  return said.includes('timeout') ? 'picture_too_slow' : 'picture_broken'
}
