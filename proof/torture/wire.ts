import { Agent, request as httpRequest, type RequestOptions } from 'node:http'
import type { AnswerTo, Endpoint, SentBody, SentParams } from '@olmos/contract/endpoint'
import type { Chance } from './random.ts'

/** What a client knows after a call. */
export type Reply<Row extends Endpoint> =
  | { kind: 'done'; value: AnswerTo<Row> }
  | { kind: 'refused'; status: number; code: string }
  /** No answer, or one that leaves open what happened. */
  | { kind: 'lost'; why: 'no answer' | 'unavailable' | 'bug' }

export interface CallOptions<Row extends Endpoint> {
  token?: string
  key?: string
  params?: SentParams<Row>
  body?: SentBody<Row>
}

export interface Wire {
  /** Calls one of the servers, whichever. */
  call<Row extends Endpoint>(row: Row, options?: CallOptions<Row>): Promise<Reply<Row>>
  /** Sends bytes to one of them, as a stranger does; answers the status, or nothing when there was no answer. */
  post(path: string, body: string | Buffer, headers: Record<string, string>): Promise<number | undefined>
  /** How many answers were a 500: a bug, whatever was killed. */
  readonly bugs: Map<string, number>
  close(): void
}

const patienceMs = 20_000

export function createWire(ports: readonly number[], chance: Chance): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const bugs = new Map<string, number>()
  const noteBug = (call: string) => bugs.set(call, (bugs.get(call) ?? 0) + 1)
  return {
    bugs,
    close: () => agent.destroy(),
    async post(path, body, headers) {
      const sent = { 'content-length': String(Buffer.byteLength(body)), ...headers }
      const options = {
        agent,
        host: '127.0.0.1',
        port: chance.pick(ports),
        method: 'POST',
        path: `/api${path}`,
        headers: sent,
      }
      const answer = await send(options, body).catch(() => undefined)
      if (answer && answer.status >= 500 && answer.status !== 503) noteBug(`POST ${path}`)
      return answer?.status
    },
    async call(row, { token, key, params, body } = {}) {
      const path = `/api${toPath(row, params)}`
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const options = { agent, host: '127.0.0.1', port: chance.pick(ports), method: row.method, path, headers }
      try {
        const { status, answer } = await send(options, text)
        if (status === 502 || status === 503) return { kind: 'lost', why: 'unavailable' }
        const parsed = answer === '' ? undefined : JSON.parse(answer)
        if (status < 300) return { kind: 'done', value: parsed }
        if (status < 500) return { kind: 'refused', status, code: parsed.error.code }
        noteBug(`${row.method} ${row.path}`)
        return { kind: 'lost', why: 'bug' }
      } catch {
        return { kind: 'lost', why: 'no answer' }
      }
    },
  }
}

function toPath(row: Endpoint, params: unknown): string {
  const given = (params ?? {}) as Record<string, string | number>
  return row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
}

function send(options: RequestOptions, body: string | Buffer | undefined): Promise<{ status: number; answer: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...options, timeout: patienceMs }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }))
      response.on('error', reject)
      response.on('aborted', () => reject(new Error('the answer was cut off')))
    })
    request.on('timeout', () => request.destroy(new Error('time-out')))
    request.on('error', reject)
    request.end(body)
  })
}
