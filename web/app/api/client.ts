import type { AnswerTo, Endpoint, SentBody, SentParams, SentQuery } from '@olmos/contract/endpoint'
import { announceStored } from '../ui/stored.ts'
import { type ApiError, toApiError, toNetworkError } from './api-error.ts'
import { askPage, loginAgainEvent, passwordChangeEvent, secondFactorEvent } from './questions.ts'
import { endSession, storedToken } from './token.ts'

type Sent<Row extends Endpoint> = (SentParams<Row> extends undefined ? object : { params: SentParams<Row> }) &
  (SentQuery<Row> extends undefined ? object : { query?: SentQuery<Row> }) &
  (SentBody<Row> extends undefined ? object : { body: SentBody<Row> })

interface CallOptions {
  idempotencyKey?: string
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
  return async (sent: Sent<Row>, options: CallOptions = {}): Promise<AnswerTo<Row>> => {
    const { params = {}, query = {}, body } = sent as AnySent
    return (await send(method, buildUrl(path, params, query), body, options)) as AnswerTo<Row>
  }
}

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
  if (error.code === 'SECOND_FACTOR_REQUIRED' && token && (await askPage(secondFactorEvent, sentAt))) {
    return send(method, address, body, options)
  }
  if (error.code === 'PASSWORD_CHANGE_NEEDED') window.dispatchEvent(new Event(passwordChangeEvent))
  if (answer.status === 401 && !isLoginAnswer(error)) {
    if (isStillStored(token) && (await askPage(loginAgainEvent, sentAt))) return send(method, address, body, options)
    if (isStillStored(token)) endSession()
    // The storage was cleared under the page, which learns of it here.
    else if (token === null) announceStored()
  }
  throw error
}

/** Whether the session a call was sent with is still the current one: after logging out or in, a 401 is about another. */
const isStillStored = (token: string | null): boolean => token !== null && token === storedToken()

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
