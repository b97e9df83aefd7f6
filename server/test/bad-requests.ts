import type { Endpoint } from '@olmos/contract/endpoint'
import * as LIMITS from '@olmos/contract/limits'
import type { InjectOptions } from 'fastify'
import { z } from 'zod'
import { SERVER_LIMITS } from '../src/limits.ts'
import type { Sample } from './access-lines.ts'
import { type BadBody, emptiedFields, oddTimes, unknownFields, wrongFields, wrongPayloads } from './bad-bodies.ts'
import { toPath } from './send.ts'

export interface BadRequest {
  name: string
  request: InjectOptions
}

interface Target {
  endpoint: Endpoint
  sample: Sample
  /** The token of somebody who may make the call. */
  token: string | undefined
}

const json = 'application/json'
const badParams = ['-1', '1.5', '1e3', 'abc', '2147483648', '9223372036854775808', '%00', '1%00', '%', '%zz', '%ff']
const strangeParams = ['%F0%9F%A6%8A', '..%2F..%2Fetc', "'%20OR%201=1--", 'x'.repeat(5_000), '%20']
const badQueries = [
  ...['%00', 'a%00b', '&', 'x'.repeat(5_000), '-1', '99999999999', 'a[b]=c'],
  ...oddTimes.map(encodeURIComponent),
]
const badTokens = ['', 'x', 'invented'.repeat(5), 'x'.repeat(9_000), 'null', 'a b', '..', '%00', 'é']

function request({ endpoint, sample, token }: Target, change: Partial<InjectOptions> = {}): InjectOptions {
  const hasBody = endpoint.body !== undefined || endpoint.method === 'POST' || endpoint.method === 'PUT'
  return {
    method: endpoint.method,
    url: `/api${toPath(endpoint, sample)}`,
    ...(hasBody && { payload: JSON.stringify(sample.body ?? {}) }),
    ...change,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': json }),
      ...change.headers,
    },
  }
}

const withBody = (target: Target, { name, body }: BadBody): BadRequest => ({
  name,
  request: request(target, { payload: JSON.stringify(body) }),
})

/** Replaces one parameter of the path; `values` are inserted in the URL unencoded. */
const withParams = (target: Target, values: readonly string[]): BadRequest[] =>
  Object.keys(target.sample.params ?? {}).flatMap((name) =>
    values.map((value) => {
      const path = target.endpoint.path.replace(`:${name}`, value)
      return {
        name: `:${name} = ${value.slice(0, 30)}`,
        request: request(target, { url: `/api${toPath({ path: path as `/${string}` }, target.sample)}` }),
      }
    }),
  )

function withQueries(target: Target): BadRequest[] {
  const { endpoint, sample } = target
  const url = `/api${toPath(endpoint, { ...sample, query: {} })}`
  const names = endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : []
  const asked = names.flatMap((name) => [...badQueries.map((value) => `${name}=${value}`), `${name}=1&${name}=2`])
  return asked.map((query) => ({
    name: `?${query.slice(0, 40)}`,
    request: request(target, { url: `${url}?${query}` }),
  }))
}

function withWrongBodies(target: Target): BadRequest[] {
  const { endpoint, sample } = target
  if (!endpoint.body) return []
  const body = (sample.body ?? {}) as object
  const payloads: readonly string[] = wrongPayloads
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ]
  return [
    ...[
      ...wrongFields(body, target.endpoint.bodyLimit ? LIMITS.pageTextBytes + 1 : 20_000),
      ...unknownFields(body),
    ].map((bad) => withBody(target, bad)),
    ...payloads.map((payload) => ({ name: payload.slice(0, 40), request: request(target, { payload }) })),
    ...types.map((type) => ({ name: type, request: request(target, { headers: { 'content-type': type } }) })),
  ]
}

/** Makes a body of one byte more than the call accepts. */
export function tooLarge(target: Target): BadRequest[] {
  const limit = target.endpoint.bodyLimit ?? SERVER_LIMITS.bodyBytes
  if (!target.endpoint.body) return []
  const payload = JSON.stringify({ filler: 'x'.repeat(limit) }).slice(0, limit + 1)
  return [{ name: `${payload.length} bytes`, request: request(target, { payload }) }]
}

/** Makes requests without a valid token. */
export const unauthorized = (target: Target): BadRequest[] =>
  [
    ...badTokens.map((token) => `Bearer ${token}`),
    ...(target.token
      ? [target.token, `Basic ${target.token}`, `Bearer ${target.token}x`, `Bearer ${target.token} x`]
      : []),
    'Bearer',
    '🦊',
  ].map((authorization) => ({
    name: authorization.slice(0, 30),
    request: request(target, { headers: { authorization } }),
  }))

/** Makes requests that must be refused with a 4xx. */
export const refusable = (target: Target): BadRequest[] => [
  ...withWrongBodies(target),
  ...withParams(target, badParams),
  ...(target.endpoint.idempotent ? ['', 'k'.repeat(256)] : []).map((key) => ({
    name: `idempotency-key of ${key.length}`,
    request: request(target, { headers: { 'idempotency-key': key } }),
  })),
  ...(['PATCH', 'OPTIONS'] as const).map((method) => ({ name: method, request: request(target, { method }) })),
]

/** Makes requests that may succeed or not, and must not break anything. */
export const strange = (target: Target): BadRequest[] => [
  ...withQueries(target),
  ...withParams(target, [...strangeParams, '0', '2147483647']),
  ...(target.endpoint.body
    ? emptiedFields((target.sample.body ?? {}) as object).map((bad) => withBody(target, bad))
    : []),
  { name: 'null', request: request(target, { payload: 'null', headers: { 'content-type': json } }) },
  { name: 'nothing', request: request(target, { payload: '', headers: { 'content-type': json } }) },
]
