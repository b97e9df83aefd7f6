import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FuzzCaller } from './world.ts'

/** One request of a run, as it goes over the wire. */
export interface FuzzRequest {
  /** The operation or page it grew from: 'PUT /cart/update-quantity/:id'. */
  call: string
  caller: FuzzCaller
  method: string
  /** As it stands in the request line. */
  path: string
  /** Those that are sent twice have two values. */
  headers: Readonly<Record<string, string | string[]>>
  body: Buffer | undefined
  /** What was made wrong about it; nothing of a request that is right. */
  mutations: readonly string[]
}

export interface FuzzAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Wire {
  /** Undefined when the connection ended without an answer. Throws what Node throws for what no client can send. */
  send(request: FuzzRequest): Promise<FuzzAnswer | undefined>
  close(): void
}

const patienceMs = 30_000

/** Sends to the store on this port of this machine. */
export function createWire(port: number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        // A body, even an empty one, has its length: without it nothing after it on the connection could be read.
        const sent = { ...headers, ...(body && { 'content-length': String(body.length) }) }
        const target = { agent, host: '127.0.0.1', port, method, path, headers: sent, timeout: patienceMs }
        try {
          const request = httpRequest(target, (answer) => {
            const chunks: Buffer[] = []
            const done = () =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                text: toText(Buffer.concat(chunks), answer.headers),
              })
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
function toText(bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string {
  if (bytes.length === 0) return ''
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a line for a shell, for a store on port 3000. */
export function toCurl({ method, path, headers, body }: FuzzRequest): string {
  const named = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
  )
  const parts = [
    'curl -i --globoff --path-as-is',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...named,
    ...(body ? ['--data-binary @-'] : []),
    quoted(`http://localhost:3000${path}`),
  ]
  const line = parts.join(' ')
  return body ? `echo ${body.toString('base64')} | base64 -d | ${line}` : line
}
