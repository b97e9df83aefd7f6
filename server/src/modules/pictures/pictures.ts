import { createHash } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { isPictureAddress } from '@olmos/contract/picture-address'
import { type Picture, type PictureUse, picturesApi } from '@olmos/contract/pictures'
import type { FastifyInstance } from 'fastify'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { isTagKnown } from '../../platform/http/headers.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { createPictureMaker } from './make-picture.ts'

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

/** Removes the pictures that nothing has shown for a while: no product, no region, and no version of the shop's settings. */
export const forgetUnusedPictures = (database: Database): Promise<number> =>
  removeInBatches(
    database,
    'picture',
    sql`
      used_at < now() - make_interval(days => ${SERVER_LIMITS.unusedPictureDays})
      AND NOT EXISTS (SELECT FROM product WHERE position(picture.hash IN image_url) > 0)
      AND NOT EXISTS (SELECT FROM region WHERE position(picture.hash IN flag) > 0)
      AND NOT EXISTS (SELECT FROM shop_setting WHERE position(picture.hash IN value::text) > 0)`,
  )

export function picturesAdmin({ serve, database }: Context): void {
  const makePicture = createPictureMaker()

  const addPicture = async (adminId: number, content: string, use: PictureUse): Promise<{ data: Picture }> => {
    const { type, width, height, large, small } = await makePicture(Buffer.from(content, 'base64'), use)
    const hash = createHash('sha256').update(use).update(large).digest('hex').slice(0, 32)
    const address = `/pictures/${hash}.${type}`
    await database.transaction(async (tx) => {
      await tx.run(sql`
        INSERT INTO picture (hash, use, type, width, height, large, small, added_by)
        VALUES (${hash}, ${use}, ${type}, ${width}, ${height}, ${large}, ${small}, ${adminId})
        ON CONFLICT (hash) DO UPDATE SET used_at = now()`)
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

const name = /^([0-9a-f]{32})(-small)?\.(webp|png)$/

/** Serves what was uploaded, as it was drawn again. An address always has the same bytes, so that whoever has them never asks again. */
export function servePictures(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { name: string } }>(
    '/pictures/:name',
    { schema: { hide: true }, compress: false },
    async ({ params, headers }, reply) => {
      const [, hash = '', small, type = ''] = name.exec(params.name) ?? []
      const column = small ? sql`small` : sql`large`
      const found = await database.maybe<{ bytes: Buffer }>(
        sql`SELECT ${column} AS bytes FROM picture WHERE hash = ${hash} AND type = ${type}`,
      )
      if (!found) {
        return reply.code(404).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('Not found\n')
      }
      const etag = `"${hash}${small ?? ''}"`
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('etag', etag)
        // A browser that opens it by itself gets a picture that can do nothing.
        .header('content-security-policy', "default-src 'none'; sandbox")
      if (isTagKnown(headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type(`image/${type}`).send(found.bytes)
    },
  )
}
