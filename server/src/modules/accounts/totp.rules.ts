import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** How many steps a phone's clock may be off, either way. */
const drift = 1

/** Numbers the 30-second step that contains a moment, counted from 1970. */
export const toStep = (moment: Date): number => Math.floor(moment.getTime() / stepMs)

/** Computes the code an app shows during a step: RFC 6238 with SHA-1, 30 seconds and 6 digits, as every app does. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Finds the step near `now` whose code this is, if any. */
export function matchingStep(secret: Buffer, code: string, now: number): number | undefined {
  const given = Buffer.from(code)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index)
  return steps.find((step) => {
    const expected = Buffer.from(codeAt(secret, step))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes as RFC 4648 without padding, the way a secret is typed into an app. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
