import { isStorable } from '@olmos/contract/storable'
import { S3mini, S3ServiceError } from 's3mini'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import { readRetryAfter } from '../http/headers.ts'

/**
 * The outcome of asking a vendor. `rejected`: the vendor certainly did nothing. `unknown`: it may have happened (a
 * timeout, a broken connection, an error of theirs, an unreadable answer), so it is retried with one and the same key,
 * never as a new request.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | ({ kind: 'rejected'; code: string } & VendorDetails)
  | ({ kind: 'unknown'; why: string } & VendorDetails)

/** What else is known when a vendor did not do it. */
export interface VendorDetails {
  /** How long the vendor asks to be left alone. */
  retryAfterSeconds?: number | undefined
  /** Which part of the request the vendor rejected. */
  parameter?: string | undefined
  /** For the operator who reads the alert, such as 'cost': '5.79 EUR'. Never a secret or a code. */
  facts?: Readonly<Record<string, string>> | undefined
  /** Says of an unknown outcome that something was only read, and nothing sent that could do anything. */
  isUnsent?: boolean | undefined
}

/** The vendor did it, or told it. */
export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
/** The vendor certainly did nothing; `code` is its own word for why, or one of the port's. */
export const rejected = (code: string, details: VendorDetails = {}): Outcome<never> => ({
  kind: 'rejected',
  code,
  ...details,
})
/** Nobody can tell whether the vendor did it; `why` is for logs and alerts. */
export const unknown = (why: string, details: VendorDetails = {}): Outcome<never> => ({
  kind: 'unknown',
  why,
  ...details,
})

/** The outcome of what is read before something is sent: where it stays unknown, nothing was done by it. */
export const beforeSending = <T>(read: Outcome<T>): Outcome<T> =>
  read.kind === 'unknown' ? { ...read, isUnsent: true } : read

/** Does `work` for each of these, at most `atOnce` at a time, and begins nothing more once one has failed. */
export async function forEachAtOnce<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...things].reverse()
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await work(next)
  }
  const stopAll = (error: unknown) => {
    rest.length = 0
    throw error
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(stopAll)))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * What a vendor's answer under a status other than a success comes to. A 4xx is a rejection, for `code` where the vendor
 * said one; a request that timed out there (408), a conflict, which may be with the shop's own earlier request (409), too
 * many requests (429) and everything else may have been carried out, or will be. An adapter whose vendor's documents call
 * one of those a firm answer reads it before it asks here.
 */
export function toHttpOutcome(
  { status, retryAfterSeconds }: Pick<VendorAnswer, 'status' | 'retryAfterSeconds'>,
  code?: string,
  details?: VendorDetails,
): Outcome<never> {
  if (status === 401 || status === 403) return rejected('not_allowed')
  const isOpen = status < 400 || status > 499 || [408, 409, 429].includes(status)
  return isOpen ? unknown(`http_${status}`, { retryAfterSeconds }) : rejected(code || `http_${status}`, details)
}

/**
 * An identifier of a vendor's: an id, a key, a state. It is compared and sent back letter for letter, so one that the
 * database could not store unchanged makes the whole message unreadable.
 */
export const vendorName = (lengthMax: number) => z.string().min(1).max(lengthMax).refine(isStorable)

/** Whether a reference of a vendor's can be a key of the shop's; the database takes no other text for one. */
export const isUuid = (text: string | null | undefined): text is string => z.uuid().safeParse(text).success

/**
 * A vendor's prose: a reason, a currency. Nothing depends on its letters, so characters that can't be stored are
 * replaced instead of losing a message about money.
 */
export const vendorWords = (lengthMax: number) =>
  z.string().transform((text) => text.replaceAll('\u0000', '\ufffd').toWellFormed().slice(0, lengthMax).toWellFormed())

/**
 * An amount of a vendor's as a text such as '0.840', whether it is told as a text or as a number. One with more than eight
 * decimals is none, but for the noise of a binary fraction: 0.30000000000000004 is '0.3'.
 */
export const vendorDecimal = z
  .union([z.string(), z.number().transform(toDecimalText)])
  .pipe(z.string().regex(/^\d{1,12}(\.\d{1,8})?$/))

/** What something costs at a vendor: nothing is free. */
export const vendorPrice = vendorDecimal.refine((text) => /[1-9]/.test(text))

function toDecimalText(amount: number): string {
  const rounded = amount.toFixed(8)
  const isNoise = Math.abs(Number(rounded) - amount) <= 4 * Number.EPSILON * Math.max(1, amount)
  return isNoise ? rounded.replace(/\.?0+$/, '') : String(amount)
}

/** Seconds since 1970, within what a Date can say and the database can store: until the year 9999. */
export const vendorSeconds = z.int().min(0).max(253_402_300_799)

/** Reads '100.4949' as 10049: hundredths of a decimal, rounded down, without a float on the way. */
export function toHundredths(decimal: string): number {
  const [whole = '0', part = ''] = decimal.split('.')
  return Number(whole + part.padEnd(2, '0').slice(0, 2))
}

/** Writes minor units as a decimal: 50050 as '500.50'. */
export const toDecimal = (minor: number): string => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

/** The `fetch` of `createVendorFetch`, or of a test. */
export type VendorFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The shop's User-Agent. Some servers, the Bank of Russia's among them, refuse what does not look like a browser. */
export const userAgent = 'Mozilla/5.0 (compatible; Olmos/1.0; self-hosted store)'

/**
 * Makes a `fetch` for vendors: it gives up after a while, follows no redirect (which could lead into our own network)
 * and reads no more of an answer than a sane one has. When it rejects, the request may still have been carried out.
 */
export const createVendorFetch =
  (timeoutMs: number = SERVER_LIMITS.vendorTimeoutMs): VendorFetch =>
  async (url, init = {}) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const headers = new Headers(init.headers ?? (url instanceof Request ? url.headers : undefined))
    if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
    const response = await fetch(url, { ...init, headers, redirect: 'error', signal: AbortSignal.any(signals) })
    const body = await readAtMost(SERVER_LIMITS.vendorBodyBytes, response)
    return new Response(body.length > 0 ? body : null, { status: response.status, headers: response.headers })
  }

class AnswerTooLong extends Error {}

/** Why no answer came: admins read it, so the store has its own terms, and never shows the name of an error. */
export const silences = ['timeout', 'answer_too_long', 'network'] as const

/** Reads why `createVendorFetch` rejected. */
export function readSilence(error: unknown): (typeof silences)[number] {
  if (error instanceof AnswerTooLong) return 'answer_too_long'
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'network'
}

async function readAtMost(bytes: number, response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > bytes) throw new AnswerTooLong(`it has more than ${bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export interface VendorAnswer {
  status: number
  /** Undefined where it is no JSON. */
  body: unknown
  /** How long the vendor wants not to be asked, if it says so. */
  retryAfterSeconds: number | undefined
}

/**
 * Makes one call, a POST if there is something to post: a form where it is one, else JSON. `unknown` when no answer came
 * back.
 */
export async function askVendor(
  fetchVendor: VendorFetch,
  url: string,
  { headers, post, method }: { headers: Record<string, string>; post?: object | undefined; method?: 'DELETE' },
): Promise<VendorAnswer | (Outcome<never> & { kind: 'unknown' })> {
  const isForm = post instanceof URLSearchParams
  try {
    const response = await fetchVendor(url, {
      method: method ?? (post ? 'POST' : 'GET'),
      headers: { ...headers, 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      ...(post && { body: isForm ? post.toString() : JSON.stringify(post) }),
    })
    const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
    return { status: response.status, body: await response.json().catch(() => undefined), retryAfterSeconds }
  } catch (error) {
    return { kind: 'unknown', why: readSilence(error) }
  }
}

/** A bucket of an S3-compatible store, in the style that has its name in the path; what follows it comes before each name. */
export interface BucketSettings {
  url: string
  keyId: string
  secret: string
  region: string
}

/**
 * Objects in a bucket. Each request and its answer may take `waitMs`; what is larger than `pieceBytes` is put in pieces.
 * Rejects with what the store answered, without what it quotes of the request: a signature is for no log.
 */
export class Bucket {
  readonly #s3: S3mini
  readonly #prefix: string

  constructor(
    { url, keyId, secret, region }: BucketSettings,
    { waitMs, pieceBytes = 8 * 1024 * 1024 }: { waitMs: number; pieceBytes?: number },
  ) {
    const { origin, pathname } = new URL(url)
    const [bucket = '', ...rest] = pathname.split('/').filter((part) => part !== '')
    this.#prefix = rest.map((part) => `${part}/`).join('')
    this.#s3 = new S3mini({
      endpoint: `${origin}/${bucket}`,
      accessKeyId: keyId,
      secretAccessKey: secret,
      region,
      minPartSize: pieceBytes,
      requestAbortTimeout: waitMs,
    })
  }

  /** Lists the objects whose names begin with `start`; undefined where there is no such bucket. */
  async list(start: string): Promise<{ name: string; bytes: number; changedAt: Date }[] | undefined> {
    const objects = await withoutQuotes(this.#s3.listObjects('/', `${this.#prefix}${start}`))
    return objects?.map(({ Key, Size, LastModified }) => ({
      name: Key.slice(this.#prefix.length),
      bytes: Size,
      changedAt: LastModified,
    }))
  }

  async put(name: string, content: Blob | Buffer, type?: string): Promise<void> {
    const { ok } = await withoutQuotes(this.#s3.putAnyObject(`${this.#prefix}${name}`, content, type))
    if (!ok) throw new Error(`${name} was not taken`)
  }

  /** Opens an object, or what lies in it from one byte up to before another. */
  open(name: string, part?: { from: number; to: number }): Promise<Response> {
    return withoutQuotes(this.#s3.getObjectRaw(`${this.#prefix}${name}`, part === undefined, part?.from, part?.to))
  }

  /** Reads a whole object, which has exactly so many bytes. */
  async read(name: string, bytes: number): Promise<Buffer> {
    const content = await readAtMost(bytes, await this.open(name))
    if (content.length < bytes) throw new Error(`${name} has ${content.length} bytes instead of ${bytes}`)
    return content
  }

  /** Removes an object; one that is gone already stays gone, which some stores call an error. */
  async remove(name: string): Promise<void> {
    try {
      await withoutQuotes(this.#s3.deleteObject(`${this.#prefix}${name}`))
    } catch (error) {
      if (!(error instanceof S3ServiceError && error.serviceCode === 'NoSuchKey')) throw error
    }
  }
}

async function withoutQuotes<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof S3ServiceError) error.body = undefined
    throw error
  }
}
