import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a vendor may do to a request instead of answering it. */
export type Fault =
  /** Carries it out, and answers too late. */
  | 'slow'
  /** Carries it out, and answers with an error. */
  | 'broken-after'
  | 'broken-before'
  | 'too-many'
  /** Too many requests: allows none for `retryAfterSeconds`. */
  | 'pause'
  /** Carries it out, and answers something else. */
  | 'html'
  | 'endless'
  | 'elsewhere'
  | 'hang-up'

export interface VendorRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export interface VendorAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface VendorDouble {
  url: string
  requests: VendorRequest[]
  /** Applies to every request that is not a read, until it is reset. */
  fault: Fault | undefined
  /** Applies to every read. */
  readFault: Fault | undefined
  /** Changes the answer to every read; none: they are as they are. */
  distort: ((body: unknown) => unknown) | undefined
  /** How many more reads are allowed before there are too many; none: as many as anybody wants. */
  readsLeft: number | undefined
  /** The Retry-After header of `too-many`. */
  retryAfter: string | undefined
  /** Answers nothing at all. */
  isSilent: boolean
  /** Answers every call with this, without carrying it out. */
  refusal: VendorAnswer | undefined
  close(): Promise<void>
}

const slowMs = 1_200
/** The pause it asks for when it is called too often. */
export const retryAfterSeconds = 7

/**
 * Starts a vendor on this machine: `answer` does its work, and faults apply to requests that change something. Some vendors
 * are read by POST, too.
 */
export async function startVendor(
  answer: (request: VendorRequest) => VendorAnswer,
  isRead: (request: VendorRequest) => boolean = ({ method }) => method === 'GET',
): Promise<VendorDouble> {
  const requests: VendorRequest[] = []
  const server = createServer(async (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://vendor')
    const body = (await buffer(incoming)).toString()
    const request = {
      method: incoming.method ?? '',
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body,
    }
    requests.push(request)
    if (double.isSilent) return void response.destroy()
    if (double.refusal) {
      const { status, body: json, headers } = double.refusal
      return void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json))
    }
    const reads = isRead(request)
    const isTooMany = reads && double.readsLeft !== undefined && double.readsLeft-- <= 0
    const fault = isTooMany ? 'pause' : reads ? double.readFault : double.fault
    const act = () => {
      const given = answer(request)
      return reads && double.distort ? { ...given, body: double.distort(given.body) } : given
    }
    await answerWith(fault, act, response, double.retryAfter)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: VendorDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: undefined,
    readFault: undefined,
    distort: undefined,
    readsLeft: undefined,
    retryAfter: undefined,
    isSilent: false,
    refusal: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return double
}

async function answerWith(
  fault: Fault | undefined,
  act: () => VendorAnswer,
  response: ServerResponse,
  retryAfter: string | undefined,
): Promise<void> {
  const say = (status: number, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  if (fault === 'broken-before') return void say(500, '{"error":{"type":"api_error"}}')
  const tooMany = '{"code":"too_many_requests","error":{"type":"rate_limit_error"}}'
  if (fault === 'too-many') return void say(429, tooMany, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  if (fault === 'pause') return void say(429, tooMany, { 'retry-after': String(retryAfterSeconds) })
  if (fault === 'elsewhere') return void say(307, '', { location: 'http://127.0.0.1:1/elsewhere' })
  const { status, body } = act()
  if (fault === 'broken-after') return void say(500, '{"error":{"type":"api_error"}}')
  if (fault === 'html') return void say(200, '<html>maintenance</html>', { 'content-type': 'text/html' })
  if (fault === 'hang-up') return void response.destroy()
  if (fault === 'endless') return void say(200, `{"x":"${'x'.repeat(10 * 1024 * 1024)}"}`)
  if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs))
  say(status, JSON.stringify(body))
}
