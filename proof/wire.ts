import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Endpoint, SentBody, SentParams } from '@olmos/contract/endpoint'

/** One request as it goes over the wire. */
export interface WireRequest {
  method: string
  /** As it stands in the request line. */
  path: string
  /** Those that are sent twice have two values. */
  headers: Readonly<Record<string, string | string[]>>
  body: string | Buffer | undefined
}

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Wire<Request extends WireRequest = WireRequest> {
  /** Undefined when the connection ended without a whole answer. Throws what Node throws for what no client can send. */
  send(request: Request): Promise<WireAnswer | undefined>
  close(): void
}

const patienceMs = 30_000

/** Sends to a port of this machine, over connections that stay open. */
export function openWire(pickPort: () => number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        // A body, even an empty one, has its length: without it nothing after it on the connection could be read.
        const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }
        const sent = { ...headers, ...length }
        const target = { agent, host: '127.0.0.1', port: pickPort(), method, path, headers: sent, timeout: patienceMs }
        try {
          const request = httpRequest(target, (answer) => {
            const chunks: Buffer[] = []
            const done = () => {
              const text = readText(Buffer.concat(chunks), answer.headers)
              resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
            }
            if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
              answer.destroy()
              done()
              return
            }
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('end', done)
            answer.on('error', () => resolve(undefined))
          })
          request.on('timeout', () => request.destroy(new Error('time-out')))
          request.on('error', () => resolve(undefined))
          request.end(body)
        } catch (error) {
          reject(error)
        }
      }),
  }
}

/** What is packed is read all the same: a leak is one in whatever way it was sent. */
function readText(bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string {
  if (bytes.length === 0) return ''
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

export interface CallOptions<Row extends Endpoint> {
  token?: string
  key?: string
  params?: SentParams<Row>
  query?: Readonly<Record<string, string>>
  body?: SentBody<Row>
}

/** A call of the contract as a request. */
export function toRequest<Row extends Endpoint>(row: Row, options: CallOptions<Row>): WireRequest {
  const { token, key, params, query, body } = options
  const given = (params ?? {}) as Record<string, string | number>
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
  return {
    method: row.method,
    path: query ? `/api${path}?${new URLSearchParams(query)}` : `/api${path}`,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}
