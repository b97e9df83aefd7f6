import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 192 bits, which nobody can try out. */
const tokenBytes = 24

/** Makes a token, or a part of one, that nobody can guess. It may stand in a link as it is. */
export const newToken = (bytes = tokenBytes): string => randomBytes(bytes).toString('base64url')

/**
 * SHA-256 of a text: of a token for storage, which is too long to need a salt, so that who reads the database can't use what
 * is there. It comes as text first: a digest that is a buffer has memory of its own, which is collected by itself.
 */
export const toDigest = (text: string): Buffer => Buffer.from(hash('sha256', text, 'binary'), 'binary')

/**
 * Whether a caller knows the secret, or what is made with it. It compares hashes, so that it takes equally long for any text
 * and tells nothing of the secret's length.
 */
export const isSecret = (secret: string, told: unknown): boolean =>
  typeof told === 'string' && timingSafeEqual(toDigest(secret), toDigest(told))
