import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SERVER_LIMITS } from '../../limits.ts'
import { chooseEncoding, type Encoding, isTagKnown } from './headers.ts'
import { packOnce } from './rendered-page.ts'

interface SharedAnswer {
  etag: string
  /**
   * Its bytes, one a character ("latin1"), compressed when that is first requested. Node writes such a text and the head
   * before it as one piece, and needs not encode it.
   */
  form(encoding: Encoding): string | Promise<string>
  /** The encoding to send to who accepts this one; a short answer would hardly become smaller. */
  encodingFor(best: Encoding): Encoding
  /** The headers it was sent with, by its encoding: names and values by turns. */
  heads: Map<Encoding, string[]>
}

interface KeptAnswer {
  answer: SharedAnswer
  version: number | undefined
  /** When its read began. */
  readAt: number
}

interface SharedAnswers {
  /**
   * Returns the last answer, unless something changed since its read began, or it is older than
   * `SERVER_LIMITS.answerKeptMs`, or changes may go unheard.
   */
  kept(key: string): SharedAnswer | undefined
  /** Makes the answer, once for all who ask for it meanwhile. */
  share(key: string, make: () => Promise<string>): Promise<SharedAnswer>
}

const packedFromBytes = 1024

/**
 * Lets callers who ask for one thing share one answer, so that the database is asked once however many there are.
 * `version` tells what is heard of changes: another number after each of them, undefined while some may go unheard. Nobody
 * gets what was read before a change that was heard. The last answers keep their bytes, their tags and their compressed
 * forms for when the text turns out to be equal.
 */
export function createSharedAnswers(
  version: () => number | undefined,
  now: () => number = () => performance.now(),
): SharedAnswers {
  const underWay = new Map<string, Promise<SharedAnswer>>()
  const last = new Map<string, KeptAnswer>()

  const keep = (key: string, text: string, read: Omit<KeptAnswer, 'answer'>): SharedAnswer => {
    const body = Buffer.from(text).toString('latin1')
    const before = last.get(key)?.answer
    const answer = before?.form('identity') === body ? before : makeAnswer(body)
    last.delete(key)
    last.set(key, { answer, ...read })
    const [oldest] = last.keys()
    if (last.size > SERVER_LIMITS.answersKept && oldest !== undefined) last.delete(oldest)
    return answer
  }

  return {
    kept(key) {
      const known = last.get(key)
      if (known?.version === undefined || known.version !== version()) return undefined
      return now() - known.readAt < SERVER_LIMITS.answerKeptMs ? known.answer : undefined
    },
    share(key, make) {
      const read = { version: version(), readAt: now() }
      // Who asks after a change does not join a read that began before it.
      const place = `${read.version} ${key}`
      const present = underWay.get(place)
      if (present) return present
      const answer = make().then((text) => keep(key, text, read))
      underWay.set(place, answer)
      const forget = () => underWay.delete(place)
      answer.then(forget, forget)
      return answer
    },
  }
}

function makeAnswer(body: string): SharedAnswer {
  const forms = new Map<Encoding, string | Promise<string>>([['identity', body]])
  return {
    etag: toEtag(body),
    form(encoding) {
      const present = forms.get(encoding)
      if (present !== undefined) return present
      const made = packOnce(Buffer.from(body, 'latin1'))(encoding).then((bytes) => bytes.toString('latin1'))
      forms.set(encoding, made)
      made.then(
        (form) => forms.set(encoding, form),
        () => forms.delete(encoding),
      )
      return made
    },
    encodingFor: (best) => (body.length < packedFromBytes ? 'identity' : best),
    heads: new Map(),
  }
}

/** The tag is weak, because proxies and the store itself compress the answer in different ways. */
const toEtag = (body: string): string => `W/"${hash('sha256', Buffer.from(body, 'latin1'), 'base64').slice(0, 27)}"`

/** Sends an answer in an encoding that the caller takes; only its tag to who has it already. */
export function sendShared(
  answer: SharedAnswer,
  { headers, method, id }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const caching = { 'cache-control': 'no-cache', vary: 'accept-language, accept-encoding', etag: answer.etag }
  if (isTagKnown(headers['if-none-match'], answer.etag)) return reply.code(304).headers(caching).send()
  const encoding = answer.encodingFor(chooseEncoding(headers['accept-encoding'] ?? ''))
  const form = answer.form(encoding)
  const send = (body: string) => {
    const head = answer.heads.get(encoding) ?? makeHead(reply.headers(caching), encoding, body)
    answer.heads.set(encoding, head)
    reply
      .hijack()
      .raw.writeHead(200, [...head, 'x-request-id', id])
      .end(method === 'HEAD' ? '' : body, 'latin1')
  }
  if (typeof form === 'string') send(form)
  else form.then(send, (error) => reply.send(error))
  return reply
}

/** What the hooks have set, which is alike for all but the request's id, and what the answer says of itself. */
function makeHead(reply: FastifyReply, encoding: Encoding, body: string): string[] {
  const { 'x-request-id': _, ...common } = reply.getHeaders()
  const head = {
    ...common,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  }
  return Object.entries(head).flatMap(([name, value]) => [name, String(value)])
}

/** Something read from the database that every page needs. */
export interface Fresh<Value> {
  /** Returns what is in force; while it can't be read, what was read last. It never rejects. */
  read(): Promise<Value>
  /** Marks what was read as out of date. */
  clear(): void
}

/** Keeps what `load` reads for `freshMs`, so that no page costs a read of it; `first` stands until the first read succeeds. */
export function keepFresh<Value>(
  load: () => Promise<Value>,
  { first, freshMs, now = () => performance.now() }: { first: Value; freshMs: number; now?: () => number },
): Fresh<Value> {
  let value = first
  let readAt = Number.NEGATIVE_INFINITY
  let changes = 0
  return {
    async read() {
      if (now() - readAt < freshMs) return value
      const [startedAt, changesBefore] = [now(), changes]
      try {
        const read = await load()
        // A read that was under way when it changed may have missed the change.
        if (changes === changesBefore) [value, readAt] = [read, startedAt]
        return read
      } catch {
        return value
      }
    },
    clear() {
      changes++
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
