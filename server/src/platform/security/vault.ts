import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { isStillReferenced } from '../database/failures.ts'
import { type Queries, sql, type Tx } from '../database/queries.ts'
import { StartupError } from '../process.ts'

const keyBytes = 32

/** Reads the installation's secret from `dataDir`, made on the first start. Without it the codes are lost. */
export async function keepSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key')
  try {
    await writeFile(path, `${randomBytes(keyBytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (key.length !== keyBytes)
    throw new StartupError(`The file ${path} is damaged; put the secret key back from a backup.`)
  return key
}

const algorithm = 'aes-256-gcm'

const nonceBytes = 12
const tagBytes = 16

export interface Sealed {
  keyId: number
  /** Nonce, tag and encrypted bytes, concatenated. */
  ciphertext: Buffer
}

/** Encrypts with AES-256-GCM: nonce, tag and encrypted bytes. It opens only under the name `boundTo`. */
export function encrypt(
  key: KeyObject,
  plain: Buffer,
  boundTo: string,
  nonce: Buffer = randomBytes(nonceBytes),
): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts what `encrypt` made; throws when it was altered or is bound to something else. */
export function decrypt(key: KeyObject, sealed: Buffer, boundTo: string): Buffer {
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

const noncesAtOnce = 256

/** Makes a function that answers a new nonce each time. Who seals many rows draws them together, which is cheaper. */
function nonceDrawer(): () => Buffer {
  let drawn = randomBytes(nonceBytes)
  let at = 0
  return () => {
    if (at === drawn.length) {
      drawn = randomBytes(nonceBytes * noncesAtOnce)
      at = 0
    }
    at += nonceBytes
    return drawn.subarray(at - nonceBytes, at)
  }
}

interface WrappedKey {
  id: number
  purpose: string
  wrapped: Buffer
}

const lockKeys = (tx: Tx) => tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('vault_key'))`)

/**
 * Encrypts secrets of rows with AES-256-GCM under the newest data key, bound to their row, so that a ciphertext moved
 * to another row does not open. Data keys are stored in the database, wrapped by the installation's SECRET_KEY.
 */
export class Vault {
  readonly #database: Database
  readonly #master: KeyObject
  // Key objects, because importing a key from bytes costs more than using it.
  readonly #keys = new Map<number, KeyObject>()
  #fingerprintKey = createSecretKey(Buffer.alloc(keyBytes))
  #auditKey = this.#fingerprintKey

  private constructor(database: Database, secretKey: Buffer) {
    this.#database = database
    this.#master = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'olmos vault', keyBytes)))
  }

  /**
   * Wraps every key that `oldKey` opens with `newKey`, in one transaction: cut short, it changes none of them. What the
   * keys seal is not touched. Keys that the new one already opens stay as they are, so it may be run again. Returns how
   * many it wrapped.
   */
  static async changeSecretKey(database: Database, oldKey: Buffer, newKey: Buffer): Promise<number> {
    const [was, is] = [new Vault(database, oldKey), new Vault(database, newKey)]
    return database.transaction(async (tx) => {
      await lockKeys(tx)
      const rows = await tx.rows<WrappedKey>(sql`SELECT id, purpose, wrapped FROM vault_key ORDER BY id FOR UPDATE`)
      const left = rows.filter((row) => !is.#opens(row))
      for (const row of left) {
        const wrapped = encrypt(is.#master, was.#unwrap(row).export(), row.purpose)
        await tx.run(sql`UPDATE vault_key SET wrapped = ${wrapped} WHERE id = ${row.id}`)
      }
      return left.length
    })
  }

  /** Makes the first keys if there are none. Refuses a SECRET_KEY that does not open the existing ones. */
  static async open(database: Database, secretKey: Buffer): Promise<Vault> {
    const vault = new Vault(database, secretKey)
    await database.transaction(async (tx) => {
      await lockKeys(tx)
      const { made } = await tx.one<{ made: boolean }>(sql`SELECT EXISTS (SELECT FROM vault_key) AS made`)
      if (made) return
      await vault.#makeKey(tx, 'encryption')
      await vault.#makeKey(tx, 'fingerprint')
    })
    await vault.#loadKeys()
    return vault
  }

  /**
   * Makes a function that encrypts `plain` for the row named `boundTo` under the newest key. That key is not deleted
   * until the transaction ends, so a simultaneous rotation finds what was sealed.
   */
  async sealer(tx: Tx): Promise<(plain: string, boundTo: string) => Sealed> {
    const { id: keyId } = await tx.one<{ id: number }>(sql`
      SELECT id FROM vault_key WHERE purpose = 'encryption' ORDER BY id DESC LIMIT 1 FOR KEY SHARE`)
    const key = await this.#key(keyId)
    const drawNonce = nonceDrawer()
    return (plain, boundTo) => ({ keyId, ciphertext: encrypt(key, Buffer.from(plain), boundTo, drawNonce()) })
  }

  /** Decrypts. Throws when the ciphertext was altered or belongs to another row. */
  async unseal({ keyId, ciphertext }: Sealed, boundTo: string): Promise<string> {
    const key = await this.#key(keyId)
    return decrypt(key, ciphertext, boundTo).toString()
  }

  /**
   * Equal texts have equal fingerprints, which are useless without the key: they reveal that a code was imported
   * before.
   */
  fingerprint(plain: string): Buffer {
    // As text first: digests that are buffers have memory of their own, each of which is collected by itself.
    return Buffer.from(createHmac('sha256', this.#fingerprintKey).update(plain).digest('binary'), 'binary')
  }

  /**
   * Seals a text of the audit trail, which only the owner of SECRET_KEY can do. Its key derives from the one of
   * fingerprints, which is never replaced, so that seals outlive a change of SECRET_KEY.
   */
  sealAudit(text: string): Buffer {
    return createHmac('sha256', this.#auditKey).update(text).digest()
  }

  /**
   * Makes a new key, which every node seals with from now on, and returns its id. If the previous key still exists, the
   * last rotation was cut short, and is resumed instead.
   */
  startRotation(): Promise<{ keyId: number; isResumed: boolean }> {
    return this.#database.transaction(async (tx) => {
      await lockKeys(tx)
      const { keys } = await tx.one<{ keys: number }>(
        sql`SELECT count(*)::int AS keys FROM vault_key WHERE purpose = 'encryption'`,
      )
      const isResumed = keys > 1
      if (!isResumed) await this.#makeKey(tx, 'encryption')
      const newest = await tx.one<{ id: number }>(sql`SELECT max(id) AS id FROM vault_key WHERE purpose = 'encryption'`)
      return { keyId: newest.id, isResumed }
    })
  }

  /** Deletes the keys older than `keyId`. Returns false while something is, or is being, sealed with one of them. */
  async endRotation(keyId: number): Promise<boolean> {
    const old = sql`purpose = 'encryption' AND id < ${keyId}`
    try {
      await this.#database.run(sql`
        DELETE FROM vault_key WHERE id IN (SELECT id FROM vault_key WHERE ${old} FOR UPDATE SKIP LOCKED)`)
    } catch (error) {
      if (!isStillReferenced(error)) throw error
    }
    const { isLeft } = await this.#database.one<{ isLeft: boolean }>(
      sql`SELECT EXISTS (SELECT FROM vault_key WHERE ${old}) AS "isLeft"`,
    )
    return !isLeft
  }

  async #key(id: number): Promise<KeyObject> {
    // Another node may have made a new key since this one loaded them.
    if (!this.#keys.has(id)) await this.#loadKeys()
    const key = this.#keys.get(id)
    if (!key) throw new Error(`the vault has no key ${id}`)
    return key
  }

  async #makeKey(queries: Queries, purpose: 'encryption' | 'fingerprint'): Promise<void> {
    const wrapped = encrypt(this.#master, randomBytes(keyBytes), purpose)
    await queries.run(sql`INSERT INTO vault_key (purpose, wrapped) VALUES (${purpose}, ${wrapped})`)
  }

  async #loadKeys(): Promise<void> {
    const rows = await this.#database.rows<WrappedKey>(sql`SELECT id, purpose, wrapped FROM vault_key ORDER BY id`)
    for (const row of rows) {
      const key = this.#unwrap(row)
      if (row.purpose === 'fingerprint') {
        this.#fingerprintKey = key
        this.#auditKey = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'olmos audit seal', keyBytes)))
      } else this.#keys.set(row.id, key)
    }
  }

  #opens(row: WrappedKey): boolean {
    try {
      decrypt(this.#master, row.wrapped, row.purpose)
      return true
    } catch {
      return false
    }
  }

  #unwrap({ wrapped, purpose }: WrappedKey): KeyObject {
    try {
      return createSecretKey(decrypt(this.#master, wrapped, purpose))
    } catch {
      throw new StartupError(
        'SECRET_KEY does not open the codes in this database; start with the key they were made with.',
      )
    }
  }
}

const magic = Buffer.from('OLMOS-BACKUP-1\n')
const keyIdBytes = 8
const saltBytes = 16
const headerBytes = magic.length + keyIdBytes + saltBytes
const chunkBytes = 64 * 1024

const derive = (key: Buffer, salt: Buffer | string, use: string, bytes = keyBytes) =>
  Buffer.from(hkdfSync('sha256', key, salt, use, bytes))

/** Tells a file of another key from a damaged one; it says nothing about the key itself. */
const keyId = (key: Buffer) => derive(key, '', 'olmos backup key id', keyIdBytes)

/** Each chunk has a nonce of its own: its number, and whether it is the last, so that none can be moved or cut off. */
function toNonce(count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUIntBE(count, nonceBytes - 7, 6)
  nonce[nonceBytes - 1] = isLast ? 1 : 0
  return nonce
}

/**
 * Makes a step of a stream that encrypts what passes with AES-256-GCM, in chunks of 64 KiB, under a key derived from
 * `key` and a salt of this file. The header is authenticated with every chunk.
 */
export function sealFile(key: Buffer) {
  return async function* seal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes)
    const header = Buffer.concat([magic, keyId(key), salt])
    const fileKey = derive(key, salt, 'olmos backup')
    let count = 0
    const sealChunk = (plain: Buffer, isLast: boolean) => {
      const cipher = createCipheriv(algorithm, fileKey, toNonce(count++, isLast)).setAAD(header)
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    }
    yield header
    let rest: Buffer = Buffer.alloc(0)
    for await (const piece of source) {
      rest = Buffer.concat([rest, piece])
      // The last chunk is sealed as such, so a full one waits until more has come.
      while (rest.length > chunkBytes) {
        yield sealChunk(rest.subarray(0, chunkBytes), false)
        rest = rest.subarray(chunkBytes)
      }
    }
    yield sealChunk(rest, true)
  }
}

/**
 * Makes a step of a stream that decrypts what `sealFile` made. What it yields is as it was sealed, but only its end proves
 * that nothing is missing: until then nothing may be trusted to be whole. Throws a StartupError that names the file.
 */
export function unsealFile(key: Buffer, path: string) {
  const damaged = () => new StartupError(`The backup ${path} is damaged or cut short; take another one.`)
  return async function* unseal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let rest: Buffer = Buffer.alloc(0)
    let opened: { header: Buffer; fileKey: Buffer } | undefined
    let count = 0
    const openChunk = (sealed: Buffer, isLast: boolean) => {
      if (!opened || sealed.length < tagBytes) throw damaged()
      try {
        const end = sealed.length - tagBytes
        const decipher = createDecipheriv(algorithm, opened.fileKey, toNonce(count++, isLast), {
          authTagLength: tagBytes,
        })
          .setAAD(opened.header)
          .setAuthTag(sealed.subarray(end))
        return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
      } catch {
        throw damaged()
      }
    }
    for await (const piece of source) {
      rest = Buffer.concat([rest, piece])
      if (!opened) {
        if (rest.length < headerBytes) continue
        const header = rest.subarray(0, headerBytes)
        opened = { header, fileKey: readHeader(header, key, path) }
        rest = rest.subarray(headerBytes)
      }
      while (rest.length > chunkBytes + tagBytes) {
        yield openChunk(rest.subarray(0, chunkBytes + tagBytes), false)
        rest = rest.subarray(chunkBytes + tagBytes)
      }
    }
    yield openChunk(rest, true)
  }
}

/** Returns the key of the file. */
function readHeader(header: Buffer, key: Buffer, path: string): Buffer {
  if (!header.subarray(0, magic.length).equals(magic)) throw new StartupError(`The file ${path} is no backup of Olmos.`)
  if (!header.subarray(magic.length, magic.length + keyIdBytes).equals(keyId(key)))
    throw new StartupError(`The backup ${path} was made with another BACKUP_KEY; give that one.`)
  return derive(key, header.subarray(magic.length + keyIdBytes), 'olmos backup')
}

/** The key for the lines of a log beside the database, for the vault's `encrypt` and `decrypt`. */
export const logKey = (key: Buffer): KeyObject => createSecretKey(derive(key, '', 'olmos sales log'))

/** The key for the records of the WAL beside the backups, for the vault's `encrypt` and `decrypt`. */
export const walKey = (key: Buffer): KeyObject => createSecretKey(derive(key, '', 'olmos wal'))
