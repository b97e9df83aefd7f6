import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Double {
  /** The bucket. */
  url: string
  keyId: string
  secret: string
  region: string
  objects: Map<string, { body: Buffer; changedAt: Date }>
  /** What was asked, as `METHOD path?query`. */
  asked: string[]
  /** Answers the next requests of this kind with 503, so many times. */
  failing: { method: string; times: number } | undefined
  close(): Promise<void>
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A key of everything but unreserved characters, as the pages of AWS about signatures want it. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Computes a signature by "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)". */
function isSigned({ method = '', url = '', headers }: IncomingMessage, double: S3Double): boolean {
  const [, keyId, day, region, names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (keyId !== double.keyId || region !== double.region || !names.split(';').includes('host')) return false
  const { pathname, searchParams } = new URL(url, 'http://s3.example')
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, pathname, query.join('&'), signed.join(''), names, headers['x-amz-content-sha256']].join(
    '\n',
  )
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${double.secret}`, String(day)), String(region)))
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
}

/** So few that a list has pages. */
const listedAtOnce = 3

/** A bucket by the S3 API reference: objects, lists with pages, and uploads in parts; its key may not delete. */
export async function startS3(): Promise<S3Double> {
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, double.url)
    const key = decodeURIComponent(pathname).slice('/bucket/'.length)
    double.asked.push(`${method} ${url}`)
    const answer = (status: number, xml = '', headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(xml)
    const refuse = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`)
    if (!isSigned(request, double)) return refuse(403, 'SignatureDoesNotMatch')
    if (double.failing?.method === method && double.failing.times-- > 0) return refuse(503, 'SlowDown')
    const upload = searchParams.get('uploadId')
    const keep = (content: Buffer) => double.objects.set(key, { body: content, changedAt: new Date() })
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    if (method === 'GET' && searchParams.get('list-type') === '2') return answer(200, list(searchParams))
    if (method === 'GET') {
      const found = double.objects.get(key)
      return found ? response.writeHead(200).end(found.body) : refuse(404, 'NoSuchKey')
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
    if (method === 'DELETE' && upload) return uploads.delete(upload) ? answer(204) : refuse(404, 'NoSuchUpload')
    if (method === 'PUT') {
      keep(body)
      return answer(200, '', { etag })
    }
    return refuse(403, 'AccessDenied')
  })
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
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return double
}
