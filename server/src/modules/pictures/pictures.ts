import { createHash, randomBytes } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { isPictureAddress, pictureBytesMax } from '@olmos/contract/picture-address'
import { type Picture, type PictureFault, type PictureUse, picturesApi } from '@olmos/contract/pictures'
import type { FastifyInstance } from 'fastify'
import type { Sharp } from 'sharp'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context, Resources } from '../../platform/context.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { isTagKnown } from '../../platform/http/headers.ts'
import { createTurns } from '../../platform/http/rate-limit.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { Bucket } from '../../platform/vendor/vendor.ts'

const toHash = (address: string): string => address.slice('/pictures/'.length, '/pictures/'.length + 32)

/** What is shown by each field that refers to a picture. */
const useByField = { imageUrl: 'product', logo: 'logo', icon: 'icon' } as const satisfies Record<string, PictureUse>

/**
 * Notes that a picture is about to be shown, so that it is not taken for one that nothing needs. Refuses an uploaded one
 * that there is not, or that is for another use. Other addresses pass.
 */
export async function usePicture(tx: Tx, field: keyof typeof useByField, address: string | null): Promise<void> {
  if (address === null || !isPictureAddress(address)) return
  const found = await tx.run(
    sql`UPDATE picture SET used_at = now() WHERE hash = ${toHash(address)} AND use = ${useByField[field]}`,
  )
  if (found === 0) throw new Failure('VALIDATION_FAILED', { [field]: 'picture_missing' })
}

/** Finds an uploaded picture with its size in pixels. */
export async function findPicture(queries: Queries, address: string): Promise<Picture | undefined> {
  const size = await queries.maybe<{ width: number; height: number }>(
    sql`SELECT width, height FROM picture WHERE hash = ${toHash(address)}`,
  )
  return size && { address, ...size }
}

type PictureShop = Pick<Resources, 'database' | 'config'>

/** Opens the bucket where new pictures are kept; undefined where they are kept in the database. */
const openBucket = ({ pictureBucket }: Resources['config']): Bucket | undefined =>
  pictureBucket && new Bucket(pictureBucket, { waitMs: SERVER_LIMITS.vendorTimeoutMs })

/** The name that the small picture has in the bucket, beside the large one. */
const toSmallFile = (object: string): string => object.replace('.', '-small.')

/**
 * Removes the pictures that nothing has shown for a while: no product, no region, and no version of the shop's settings.
 * What they have in the bucket goes a month later. Rejects where the bucket does not remove it, which is tried again.
 */
export async function forgetUnusedPictures({ database, config }: PictureShop): Promise<void> {
  await removeInBatches(
    database,
    'picture',
    sql`
      used_at < now() - make_interval(days => ${SERVER_LIMITS.unusedPictureDays})
      AND NOT EXISTS (SELECT FROM product WHERE position(picture.hash IN image_url) > 0)
      AND NOT EXISTS (SELECT FROM region WHERE position(picture.hash IN flag) > 0)
      AND NOT EXISTS (SELECT FROM shop_setting WHERE position(picture.hash IN value::text) > 0)`,
  )
  const bucket = openBucket(config)
  if (!bucket) return
  const leaving = await database.rows<{ object: string }>(
    sql`SELECT name AS object FROM picture_object WHERE leaves_at <= now() ORDER BY leaves_at`,
  )
  for (const { object } of leaving) {
    await bucket.remove(toSmallFile(object))
    await bucket.remove(object)
    await database.run(sql`DELETE FROM picture_object WHERE name = ${object}`)
  }
}

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
function createPictureMaker(): (bytes: Buffer, use: PictureUse) => Promise<MadePicture> {
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

/** Refuses what only the bucket could do, which does not do it; `cause` is for the log. */
const bucketFailed = (cause: unknown): Failure => Object.assign(new Failure('PICTURES_UNAVAILABLE'), { cause })

export function picturesAdmin({ serve, database, config }: Context): void {
  const makePicture = createPictureMaker()
  const bucket = openBucket(config)

  /**
   * Puts a picture into the bucket, and returns the name of the object it is there. Undefined for one that is kept in the
   * database. An object is written down before it is put, so that one that becomes no picture is removed an hour later.
   */
  const putIntoBucket = async (hash: string, { type, large, small }: MadePicture): Promise<string | undefined> => {
    if (!bucket) return undefined
    const known = await database.maybe<{ object: string | null }>(sql`SELECT object FROM picture WHERE hash = ${hash}`)
    if (known?.object === null) return undefined
    // One that is there is put again, because whoever uploads it once more may miss it.
    const object = known?.object ?? `${hash}-${randomBytes(4).toString('hex')}.${type}`
    await database.run(sql`
      INSERT INTO picture_object (name, leaves_at)
      VALUES (${object}, now() + make_interval(mins => ${SERVER_LIMITS.pictureUploadMinutes}))
      ON CONFLICT DO NOTHING`)
    try {
      await bucket.put(object, large, `image/${type}`)
      await bucket.put(toSmallFile(object), small, `image/${type}`)
    } catch (error) {
      throw bucketFailed(error)
    }
    return object
  }

  const addPicture = async (adminId: number, content: string, use: PictureUse): Promise<{ data: Picture }> => {
    const made = await makePicture(Buffer.from(content, 'base64'), use)
    const { type, width, height, large, small } = made
    const hash = createHash('sha256').update(use).update(large).digest('hex').slice(0, 32)
    const address = `/pictures/${hash}.${type}`
    const object = await putIntoBucket(hash, made)
    const inRow = object === undefined ? { large, small } : { large: null, small: null }
    const inBucket = object === undefined ? { large: null, small: null } : { large: large.length, small: small.length }
    await database.transaction(async (tx) => {
      const { kept_in } = await tx.one<{ kept_in: string | null }>(sql`
        INSERT INTO picture (hash, use, type, width, height, added_by, large, small, object, large_bytes, small_bytes)
        VALUES (${hash}, ${use}, ${type}, ${width}, ${height}, ${adminId}, ${inRow.large}, ${inRow.small},
          ${object ?? null}, ${inBucket.large}, ${inBucket.small})
        ON CONFLICT (hash) DO UPDATE SET used_at = now()
        RETURNING object AS kept_in`)
      // What is about to be removed can't be kept any more, and what another upload was faster with need not be.
      const isKept = object === undefined || kept_in !== object || (await keepObject(tx, object))
      if (!isKept) throw bucketFailed(new Error(`the object ${object} is being removed`))
      await writeAudit(tx, {
        actorId: adminId,
        action: 'picture.add',
        subject: `picture:${hash}`,
        after: { use, address },
      })
    })
    return { data: { address, width, height } }
  }

  serve(picturesApi.addOfProduct, ({ user, body }) => addPicture(user.id, body.content, 'product'))

  serve(picturesApi.addOfShop, ({ user, body }) => addPicture(user.id, body.content, body.use))
}

/** Keeps an object for good, unless its time has come or is about to. */
const keepObject = async (tx: Tx, object: string): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE picture_object SET leaves_at = NULL
    WHERE name = ${object} AND (leaves_at IS NULL OR leaves_at > now() + interval '10 minutes')`)) === 1

const name = /^([0-9a-f]{32})(-small)?\.(webp|png)$/

/**
 * Serves what was uploaded, as it was drawn again. An address always has the same bytes, so that whoever has them never asks
 * again. What lies in the bucket is read whole before any of it is sent: half a picture would be kept for ever too.
 */
export function servePictures(app: FastifyInstance, { database, config }: PictureShop): void {
  const bucket = openBucket(config)
  const inTurn = createTurns({
    atOnce: SERVER_LIMITS.picturesReadAtOnce,
    waitingAtMost: SERVER_LIMITS.picturesReadWaiting,
    waitAtMostMs: SERVER_LIMITS.vendorTimeoutMs,
    refusal: 'too many pictures are read at once',
  })
  const readFromBucket = async (file: string, bytes: number): Promise<Buffer> => {
    if (!bucket) throw bucketFailed(new Error('PICTURES_S3_URL is not set, and pictures lie there'))
    try {
      return await inTurn(() => bucket.read(file, bytes))
    } catch (error) {
      throw error instanceof Failure ? error : bucketFailed(error)
    }
  }

  app.get<{ Params: { name: string } }>(
    '/pictures/:name',
    { schema: { hide: true }, compress: false },
    async ({ params, headers }, reply) => {
      const [, hash = '', small, type = ''] = name.exec(params.name) ?? []
      const [column, size] = small ? [sql`small`, sql`small_bytes`] : [sql`large`, sql`large_bytes`]
      const found = await database.maybe<{ bytes: Buffer | null; object: string | null; size: number | null }>(
        sql`SELECT ${column} AS bytes, object, ${size} AS size FROM picture WHERE hash = ${hash} AND type = ${type}`,
      )
      if (!found) {
        return reply.code(404).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('Not found\n')
      }
      const etag = `"${hash}${small ?? ''}"`
      const isKnown = isTagKnown(headers['if-none-match'], etag)
      const file = found.object && (small ? toSmallFile(found.object) : found.object)
      const bytes = isKnown || !file ? found.bytes : await readFromBucket(file, found.size ?? 0)
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('etag', etag)
        // A browser that opens it by itself gets a picture that can do nothing.
        .header('content-security-policy', "default-src 'none'; sandbox")
      if (isKnown) return reply.code(304).send()
      return reply.type(`image/${type}`).send(bytes)
    },
  )
}
