import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a vendor may do to a request instead of answering it. */
export type Fault =
  /** Carries it out, and answers too late. */
  | 'slow'
  /** Carries it out, and answers that it broke. */
  | 'broken-after'
  | 'broken-before'
  | 'too-many'
  /** Too many, and none for `retryAfterSeconds`. */
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
  /** Befalls the next request that is not a read, and each one after it until it is taken back. */
  fault: Fault | undefined
  /** What it says with `too-many` of when to come again. */
  retryAfter: string | undefined
  /** Answers nothing at all. */
  isSilent: boolean
  /** What every call is answered, without being carried out. */
  refusal: VendorAnswer | undefined
  close(): Promise<void>
}

const slowMs = 1_200
/** For which it wants to be left alone when it is asked too often. */
export const retryAfterSeconds = 7

/** A vendor on this machine: `answer` does what it does, and faults befall what changes something. */
export async function startVendor(answer: (request: VendorRequest) => VendorAnswer): Promise<VendorDouble> {
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
      const { status, body: told, headers } = double.refusal
      return void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(told))
    }
    const fault = request.method === 'POST' ? double.fault : undefined
    await answerWith(fault, () => answer(request), response, double.retryAfter)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: VendorDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: undefined,
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
