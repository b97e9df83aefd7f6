import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 192 bits, which nobody can try out. */
const tokenBytes = 24

/** Makes a token, or a part of one, that nobody can guess. It may stand in a link as it is. */
export const newToken = (bytes = tokenBytes): string => randomBytes(bytes).toString('base64url')

/** SHA-256 of a text. As text first: a digest that is a buffer has memory of its own, which is collected by itself. */
export const toDigest = (text: string): Buffer => Buffer.from(hash('sha256', text, 'binary'), 'binary')

/** Hashes a token for storage: who reads the database can't use what is there. A token is too long to need a salt. */
export const hashToken = (token: string): Buffer => toDigest(token)

/**
 * Whether a caller knows the secret, or what is made with it. It compares hashes, so that it takes equally long for any text
 * and tells nothing of the secret's length.
 */
export const isSecret = (secret: string, told: unknown): boolean =>
  typeof told === 'string' && timingSafeEqual(hashToken(secret), hashToken(told))
