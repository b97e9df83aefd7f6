import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Double {
  /** The bucket. */
  url: string
  keyId: string
  secret: string
  region: string
  objects: Map<string, { body: Buffer; changedAt: Date }>
  /** What was asked, as `METHOD path?query`, and which bytes of an object where not all. */
  asked: string[]
  /** Answers the next requests of this kind with 503, so many times. */
  failing: { method: string; times: number } | undefined
  /** Refuses to take anything: the key may only get and list. */
  isReadOnly: boolean
  /** What becomes of a DELETE of an object; `strict` refuses what is gone already, as Google's store does. */
  removing: 'refused' | 'done' | 'strict'
  /** Never answers, sends an answer that does not end, or leaves in the middle of an object. */
  trouble: 'silent' | 'endless' | 'leaving' | undefined
  /** Runs before each request is answered. */
  onAsked: ((line: string) => Promise<void>) | undefined
  close(): Promise<void>
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A key of everything but unreserved characters, as the pages of AWS about signatures want it. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** What "Error responses" of the S3 API reference has for a code. */
const errors = {
  AccessDenied: { status: 403, message: 'Access Denied' },
  AuthorizationHeaderMalformed: { status: 400, message: 'The authorization header is malformed; the region is wrong' },
  InvalidAccessKeyId: { status: 403, message: 'The AWS Access Key Id you provided does not exist in our records.' },
  InvalidRange: { status: 416, message: 'The requested range cannot be satisfied.' },
  NoSuchBucket: { status: 404, message: 'The specified bucket does not exist' },
  NoSuchKey: { status: 404, message: 'The specified key does not exist.' },
  NoSuchUpload: { status: 404, message: 'The specified upload does not exist.' },
  SignatureDoesNotMatch: {
    status: 403,
    message: 'The request signature we calculated does not match the signature you provided.',
  },
  SlowDown: { status: 503, message: 'Please reduce your request rate.' },
}
type ErrorCode = keyof typeof errors

interface Refused {
  code: ErrorCode
  /** What the answer has besides: everything that the request was signed with but the secret. */
  details?: Record<string, string>
}

/** Checks a signature by "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)". */
function refuseSignature({ method = '', url = '', headers }: IncomingMessage, double: S3Double): Refused | undefined {
  const [, keyId = '', day, region, names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!names.split(';').includes('host')) return { code: 'AccessDenied' }
  if (keyId !== double.keyId) return { code: 'InvalidAccessKeyId', details: { AWSAccessKeyId: keyId } }
  if (region !== double.region) return { code: 'AuthorizationHeaderMalformed', details: { Region: double.region } }
  const { pathname, searchParams } = new URL(url, 'http://s3.example')
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, pathname, query.join('&'), signed.join(''), names, headers['x-amz-content-sha256']].join(
    '\n',
  )
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${double.secret}`, String(day)), String(region)))
  if (timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) return undefined
  const details = { AWSAccessKeyId: keyId, StringToSign: text, SignatureProvided: signature, CanonicalRequest: request }
  return { code: 'SignatureDoesNotMatch', details }
}

/** So few that a list has pages. */
const listedAtOnce = 3

/** Sends a list that goes on and on, of which every byte could be the last. */
function sendEndlessly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).write('<ListBucketResult>')
  const sending = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(sending))
}

/** A bucket by the S3 API reference: objects, lists with pages, and uploads in parts; its key may not delete until a test says so. */
export async function startS3(): Promise<S3Double> {
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, double.url)
    const key = decodeURIComponent(pathname).slice('/bucket/'.length)
    const [range, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const line = [method, url, range].filter(Boolean).join(' ')
    double.asked.push(line)
    if (double.trouble === 'silent') return
    if (double.trouble === 'endless') return sendEndlessly(response)
    await double.onAsked?.(line)
    const answer = (status: number, xml = '', headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(xml)
    const refuse = (code: ErrorCode, details: Record<string, string> = {}) => {
      const { status, message } = errors[code]
      const elements = Object.entries({ Code: code, Message: message, ...details, RequestId: randomUUID() })
      const inner = elements.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join('')
      answer(status, `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`)
    }
    const refused = refuseSignature(request, double)
    if (refused) return refuse(refused.code, refused.details)
    if (!pathname.startsWith('/bucket/')) return refuse('NoSuchBucket', { BucketName: pathname.split('/')[1] ?? '' })
    if (double.failing?.method === method && double.failing.times-- > 0) return refuse('SlowDown')
    if (double.isReadOnly && method !== 'GET') return refuse('AccessDenied')
    const upload = searchParams.get('uploadId')
    const keep = (content: Buffer) => double.objects.set(key, { body: content, changedAt: new Date() })
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    if (method === 'GET' && searchParams.get('list-type') === '2') return answer(200, list(searchParams))
    if (method === 'GET') {
      const body = double.objects.get(key)?.body
      if (body === undefined) return refuse('NoSuchKey')
      if (range === undefined) return sendObject(response, 200, body)
      // A range that begins in the object ends with it.
      const part = body.subarray(Number(from), Number(to) + 1)
      if (part.length === 0) return refuse('InvalidRange')
      const at = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`
      return sendObject(response.setHeader('content-range', at), 206, part)
    }
    if (method === 'POST' && searchParams.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return answer(
        200,
        `<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>${escapeXml(key)}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (method === 'PUT' && upload) {
      uploads.get(upload)?.set(Number(searchParams.get('partNumber')), body)
      return answer(200, '', { etag })
    }
    if (method === 'POST' && upload) {
      const parts = uploads.get(upload) ?? new Map<number, Buffer>()
      const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
      keep(Buffer.concat(named.map((number) => parts.get(number) ?? Buffer.alloc(0))))
      return answer(
        200,
        `<CompleteMultipartUploadResult><Location>${double.url}</Location><Bucket>bucket</Bucket><Key>${escapeXml(key)}</Key><ETag>"whole"</ETag></CompleteMultipartUploadResult>`,
      )
    }
    if (method === 'DELETE' && upload) return uploads.delete(upload) ? answer(204) : refuse('NoSuchUpload')
    if (method === 'PUT') {
      keep(body)
      return answer(200, '', { etag })
    }
    if (method === 'DELETE' && double.removing !== 'refused') {
      const isGone = !double.objects.delete(key)
      return isGone && double.removing === 'strict' ? refuse('NoSuchKey') : answer(204)
    }
    return refuse('AccessDenied')
  })
  /** Sends a whole object, or so much of it that a caller has begun to believe it. */
  const sendObject = (response: ServerResponse, status: number, body: Buffer) => {
    response.writeHead(status, { 'content-length': body.length })
    if (double.trouble !== 'leaving') return response.end(body)
    return response.write(body.subarray(0, body.length / 2), () => response.destroy())
  }
  const list = (query: URLSearchParams): string => {
    const keys = [...double.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const page = keys.slice(from, from + listedAtOnce)
    const isTruncated = from + listedAtOnce < keys.length
    const rows = page.map((key) => {
      const { body, changedAt } = double.objects.get(key) as { body: Buffer; changedAt: Date }
      return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${changedAt.toISOString()}</LastModified><ETag>"x"</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    const next = isTruncated ? `<NextContinuationToken>${from + listedAtOnce}</NextContinuationToken>` : ''
    return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>bucket</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: S3Double = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`,
    keyId: 'key-of-a-test',
    secret: 'secret-of-a-test',
    region: 'eu-central-1',
    objects: new Map(),
    asked: [],
    failing: undefined,
    isReadOnly: false,
    removing: 'refused',
    trouble: undefined,
    onAsked: undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return double
}
