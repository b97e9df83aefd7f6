import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { StartupError } from '../closing.ts'

const algorithm = 'aes-256-gcm'
const magic = Buffer.from('OLMOS-BACKUP-1\n')
const keyIdBytes = 8
const saltBytes = 16
const headerBytes = magic.length + keyIdBytes + saltBytes
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
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
