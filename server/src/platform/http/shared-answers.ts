import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SERVER_LIMITS } from '../../limits.ts'
import { toRoute } from '../live/tracing.ts'
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
  /** What it was sent with, by its encoding. */
  heads: Map<Encoding, Head>
}

interface Head {
  /** Names and values by turns: what the hooks have set, which is alike for all, and what the answer says of itself. */
  headers: string[]
  route: string
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
export function sendShared(answer: SharedAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { headers, method, id } = request
  const caching = { 'cache-control': 'no-cache', vary: 'accept-language, accept-encoding', etag: answer.etag }
  if (isTagKnown(headers['if-none-match'], answer.etag)) return reply.code(304).headers(caching).send()
  const encoding = toEncoding(answer, headers)
  const form = answer.form(encoding)
  const send = (body: string) => {
    const head = answer.heads.get(encoding) ?? makeHead(request, reply.headers(caching), encoding, body)
    answer.heads.set(encoding, head)
    write(reply.hijack().raw, head, id, method === 'HEAD' ? '' : body)
  }
  if (typeof form === 'string') send(form)
  else form.then(send, (error) => reply.send(error))
  return reply
}

/** Sends a kept answer as `sendShared` sent it before, and says so; undefined for who gets it in a form of its own. */
export function sendKept(
  answer: SharedAnswer | undefined,
  { headers }: IncomingMessage,
  response: ServerResponse,
  name: () => string,
) {
  if (!answer || headers['if-none-match'] !== undefined) return undefined
  const encoding = toEncoding(answer, headers)
  const head = answer.heads.get(encoding)
  const body = answer.form(encoding)
  if (!head || typeof body !== 'string') return undefined
  write(response, head, name(), body)
  return { route: head.route, status: 200, refusal: null }
}

const toEncoding = (answer: SharedAnswer, { 'accept-encoding': accepted = '' }: IncomingHttpHeaders): Encoding =>
  answer.encodingFor(chooseEncoding(String(accepted)))

function write(response: ServerResponse, { headers }: Head, reqId: string, body: string): void {
  response.writeHead(200, [...headers, 'x-request-id', reqId]).end(body, 'latin1')
}

function makeHead(request: FastifyRequest, reply: FastifyReply, encoding: Encoding, body: string): Head {
  const { 'x-request-id': _, ...common } = reply.getHeaders()
  const headers = {
    ...common,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  }
  return {
    headers: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    route: toRoute(request),
  }
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
