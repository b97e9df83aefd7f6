import type { AnswerTo, Endpoint, SentBody, SentParams, SentQuery } from '@olmos/contract/endpoint'
import { WEB_LIMITS } from '../limits.ts'
import { visitStorage } from '../ui/browser-storage.ts'
import { ApiError, isRefusal, isTransient, toApiError, toNetworkError } from './api-error.ts'
import { askPage, passwordChangeEvent, resumeSession, secondFactorEvent } from './questions.ts'
import { isHeaderText, storedToken } from './token.ts'

type Sent<Row extends Endpoint> = (SentParams<Row> extends undefined ? object : { params: SentParams<Row> }) &
  (SentQuery<Row> extends undefined ? object : { query?: SentQuery<Row> }) &
  (SentBody<Row> extends undefined ? object : { body: SentBody<Row> })

interface CallOptions {
  idempotencyKey?: string
  /**
   * Names what is done at most once, such as a purchase. As long as nobody knows whether it happened (no answer, trouble
   * at the server), the next call with the name is the same one to the server, also after a reload.
   */
  once?: string
  timeoutMs?: number
  signal?: AbortSignal
}

interface AnySent {
  params?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/**
 * Makes the caller of one endpoint, typed by its row in the contract. Only the type is imported: the row itself would
 * load its schemas into the page. Rejects with an ApiError, whatever went wrong.
 */
export function caller<Row extends Endpoint>(call: `${Row['method']} ${Row['path']}`) {
  const [method = 'GET', path = '/'] = call.split(' ')
  return async (sent: Sent<Row>, { once, ...options }: CallOptions = {}): Promise<AnswerTo<Row>> => {
    const { params = {}, query = {}, body } = sent as AnySent
    const call = (options: CallOptions) => send(method, buildUrl(path, params, query), body, options)
    const answer =
      once === undefined ? call(options) : underKey(once, (key) => call({ ...options, idempotencyKey: key }))
    return (await answer) as AnswerTo<Row>
  }
}

/**
 * Makes a key that follows earlier ones, so that the database finds a place for it among them. `crypto.randomUUID` is
 * missing on pages without HTTPS, which a shop's first evening may well be.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  const drawn = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return Date.now().toString(16).padStart(12, '0') + drawn
}

/** Something else was done under the key. */
const reused = 'IDEMPOTENCY_KEY_REUSED'

/**
 * Sends under the Idempotency-Key of a name, which is made before the first try and kept until its outcome is known. That
 * something else was done under it is said for a while, as it was hardly wished twice; later the page has long shown what it was.
 */
async function underKey(name: string, send: (key: string) => Promise<unknown>): Promise<unknown> {
  const place = `purchase-key:${name}`
  const met = `${place}:met`
  const metAt = Number(visitStorage.getItem(met))
  if (metAt > 0 && Date.now() - metAt >= WEB_LIMITS.unansweredPressMs) forget()
  const kept = visitStorage.getItem(place)
  const key = kept !== null && isHeaderText(kept) ? kept : randomKey()
  visitStorage.setItem(place, key)
  try {
    const answer = await send(key)
    forget()
    return answer
  } catch (error) {
    if (isOutcome(error)) forget()
    if (isRefusal(error, reused) && metAt === 0) visitStorage.setItem(met, String(Date.now()))
    throw error
  }

  function forget() {
    for (const item of [place, met]) visitStorage.removeItem(item)
  }
}

/**
 * Whether a failure says that nothing was done under a key. No answer does not, and neither does a refusal that comes before
 * the store looks at the key, nor one because something else was done under it: an earlier try whose answer was lost.
 */
const isOutcome = (error: unknown): boolean =>
  error instanceof ApiError && ![401, 403, 429].includes(error.status) && !isTransient(error) && error.code !== reused

function buildUrl(path: string, params: NonNullable<AnySent['params']>, query: NonNullable<AnySent['query']>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length > 0 ? `/api${filled}?${search}` : `/api${filled}`
}

async function send(method: string, address: string, body: unknown, options: CallOptions): Promise<unknown> {
  const token = storedToken()
  const headers = new Headers({ 'accept-language': document.documentElement.lang })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)

  const sentAt = performance.now()
  let answer: Response
  let received: unknown
  try {
    const signals = [options.signal, options.timeoutMs ? AbortSignal.timeout(options.timeoutMs) : undefined]
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined))
    answer = await fetch(address, { method, headers, signal, body: body === undefined ? null : JSON.stringify(body) })
    received = await toBody(answer)
  } catch (error) {
    throw toNetworkError(error)
  }
  if (answer.ok) return received
  const error = toApiError(answer.status, received, answer.headers.get('x-request-id'))
  if (error.code === 'SECOND_FACTOR_REQUIRED' && (await askPage(secondFactorEvent, token, sentAt))) {
    return send(method, address, body, options)
  }
  if (error.code === 'PASSWORD_CHANGE_NEEDED') window.dispatchEvent(new Event(passwordChangeEvent))
  if (answer.status === 401 && !isLoginAnswer(error) && (await resumeSession(token, sentAt))) {
    return send(method, address, body, options)
  }
  throw error
}

/** Whether a 401 is about what was typed into a login, and says nothing about the session. */
const isLoginAnswer = (error: ApiError): boolean =>
  error.code === 'INVALID_CREDENTIALS' || error.code === 'SECOND_FACTOR_REQUIRED'

async function toBody(answer: Response): Promise<unknown> {
  const text = await answer.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
