import { gzipSync } from 'node:zlib'
import { accessTable } from '../../server/test/access.ts'
import type { Sample } from '../../server/test/access-lines.ts'
import type { Chance } from '../random.ts'
import {
  aHostileValue,
  anUnknownField,
  aValueFor,
  contentTypes,
  pathParts,
  queryValues,
  RawJson,
  someBytes,
  strangeHeaders,
  toJson,
  wholeBodies,
} from './hostile.ts'
import type { Operation } from './operations.ts'
import { aPage } from './pages.ts'
import type { FuzzRequest } from './request.ts'
import { spare } from './spared.ts'
import { type FuzzCaller, type FuzzWorld, fuzzCallers } from './world.ts'

/** A request while it is being made wrong. */
interface Draft {
  call: string
  caller: FuzzCaller
  token: string | undefined
  method: string
  /** Below /api, with `:name` where a parameter goes. */
  path: string
  /** As they stand in the URL. */
  params: Record<string, string>
  query: [name: string, value: string][]
  headers: Record<string, string | string[]>
  /** Bytes go as they are, anything else as JSON. */
  body: unknown
  mutations: string[]
}

type Mutation = (draft: Draft, chance: Chance, world: FuzzWorld) => string | undefined

/** Draws one request at the store: one of the calls mostly, a page at times. */
export async function drawRequest(
  operations: readonly Operation[],
  world: FuzzWorld,
  chance: Chance,
): Promise<FuzzRequest> {
  if (chance.isTrue(pagesShare)) return aPage(world, chance)
  const operation = chance.pick(operations)
  const caller = chance.pick(fuzzCallers)
  const draft = aRightOne(operation, caller, world, chance)
  const wanted = chance.pick([0, 1, 1, 1, 2, 2, 3])
  for (let n = 0; n < wanted; n++) {
    const said = chance.pick(mutations)(draft, chance, world)
    if (said) draft.mutations.push(said)
  }
  await spare(draft, world)
  return toRequest(draft)
}

const pagesShare = 0.12

function aRightOne(operation: Operation, caller: FuzzCaller, world: FuzzWorld, chance: Chance): Draft {
  // A copy: some of the samples lie there once for all.
  const sample: Sample = structuredClone(accessTable[operation.name]?.sample(world) ?? {})
  const isBySchema = operation.body !== undefined && chance.isTrue(0.3)
  const made = isBySchema ? aValueFor(operation.body ?? {}, chance) : undefined
  const body =
    isBySchema && isObject(made) && isObject(sample.body) ? { ...made, ...takeHalf(sample.body, chance) } : made
  const asked = Object.entries(sample.query ?? {}).filter(() => chance.isTrue(0.6))
  const askedBySchema = Object.entries(operation.query)
    .filter(([name]) => !(name in (sample.query ?? {})) && chance.isTrue(0.2))
    .map(([name, schema]) => [name, aValueFor(schema, chance)] as const)
  return {
    call: operation.name,
    caller,
    token: world.tokens[caller],
    method: operation.method,
    path: operation.path,
    params: Object.fromEntries(
      [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
        name,
        encodeURIComponent(String(sample.params?.[name] ?? chance.pick(world.ids))),
      ]),
    ),
    query: [...asked, ...askedBySchema].map(([name, value]) => [name, encodeURIComponent(asText(value))]),
    headers: { ...sample.headers, ...(chance.isTrue(0.2) && { 'idempotency-key': `key-${chance.between(1, 40)}` }) },
    body: isBySchema ? body : sample.body,
    mutations: isBySchema ? ['a body made from its schema'] : [],
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const takeHalf = (value: Record<string, unknown>, chance: Chance) =>
  Object.fromEntries(Object.entries(value).filter(() => chance.isTrue(0.5)))
// Half a surrogate pair has no place in a URL; its mutation brings it along as bytes.
const asText = (value: unknown): string => String(isObject(value) ? JSON.stringify(value) : value).toWellFormed()

const setField: Mutation = (draft, chance) => {
  const place = aPlaceIn(draft.body, chance)
  if (!place) return undefined
  const value = aHostileValue(chance)
  place.holder[place.key] = value
  return `${String(place.key)} = ${shown(value)}`
}

const dropField: Mutation = (draft, chance) => {
  const place = aPlaceIn(draft.body, chance)
  if (!place || Array.isArray(place.holder)) return undefined
  delete place.holder[place.key]
  return `no ${String(place.key)}`
}

const addField: Mutation = (draft, chance) => {
  if (!isObject(draft.body)) return undefined
  if (chance.isTrue(0.3)) {
    const body = toJson(draft.body)
    draft.body = Buffer.from(body.replace(/^\{/, `{"__proto__":{"role":"admin"}${body === '{}' ? '' : ','}`))
    return '__proto__'
  }
  const [name, value] = anUnknownField(chance)
  draft.body = { ...draft.body, [name]: value }
  return `also ${name}`
}

const otherIds: Mutation = (draft, chance, { ids }) => {
  const place = aPlaceIn(draft.body, chance)
  if (place && chance.isTrue(0.5)) {
    place.holder[place.key] = chance.pick(ids)
    return `${String(place.key)} is another's`
  }
  const name = chance.pick(Object.keys(draft.params))
  if (name === undefined) return undefined
  draft.params[name] = encodeURIComponent(String(chance.pick(ids)))
  return `:${name} is another's`
}

const setParam: Mutation = (draft, chance) => {
  const name = chance.pick(Object.keys(draft.params))
  if (name === undefined) return undefined
  const value = chance.pick(pathParts)
  draft.params[name] = value
  return `:${name} = ${value.slice(0, 30)}`
}

const setQuery: Mutation = (draft, chance) => {
  const names = draft.query.map(([name]) => name)
  const name = chance.pick([...names, ...names, 'search', 'page', 'pageSize', 'sort', 'unknown', '__proto__', 'a[b]'])
  const value = chance.pick(queryValues)
  // A key that is asked for twice has two values, and no call takes them.
  if (chance.isTrue(0.6)) draft.query = draft.query.filter(([other]) => other !== name)
  draft.query.push([name, value])
  return `?${name}=${value.slice(0, 30)}`
}

const setBody: Mutation = (draft, chance) => {
  const body = chance.isTrue(0.2) ? someBytes(chance) : chance.pick(wholeBodies)
  draft.body = Buffer.from(body)
  return `the body is ${shown(body.toString())}`
}

const setType: Mutation = (draft, chance) => {
  const type = chance.pick(contentTypes)
  draft.headers['content-type'] = type
  return `content-type: ${type.slice(0, 40)}`
}

const setHeader: Mutation = (draft, chance) => {
  const [name, value] = chance.pick(strangeHeaders)
  draft.headers[name] = value
  if (name === 'content-encoding' && draft.body !== undefined && chance.isTrue(0.5)) {
    draft.body = gzipSync(toBytes(draft.body))
  }
  return `${name}: ${String(value).slice(0, 30)}`
}

const setMethod: Mutation = (draft, chance) => {
  draft.method = chance.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
  return draft.method
}

const setPath: Mutation = (draft, chance) => {
  draft.path = chance.pick([
    `${draft.path}/`,
    `${draft.path}//`,
    `/${draft.path}`,
    `${draft.path}/more`,
    `${draft.path}%00`,
  ])
  return `the path ${draft.path}`
}

const mutations: readonly Mutation[] = [
  ...[setField, setField, setField, setField, dropField, addField, otherIds, otherIds, setParam, setParam],
  ...[setQuery, setQuery, setBody, setType, setHeader, setHeader, setMethod, setMethod, setPath],
]

/** Somewhere in the body. The body is changed where it lies: it was made for this request alone. */
function aPlaceIn(
  body: unknown,
  chance: Chance,
): { holder: Record<string | number, unknown>; key: string | number } | undefined {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || body instanceof RawJson) return undefined
  const key = chance.pick(Object.keys(body))
  if (key === undefined) return undefined
  const holder = body as Record<string | number, unknown>
  return (chance.isTrue(0.6) && aPlaceIn(holder[key], chance)) || { holder, key }
}

const shown = (value: unknown): string => (toJson(value) ?? '').slice(0, 40)
const toBytes = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.from(toJson(body)))

function toRequest(draft: Draft): FuzzRequest {
  const path = draft.path.replace(/:(\w+)/g, (_, name: string) => draft.params[name] ?? '')
  const query = draft.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&')
  const body = draft.body === undefined ? undefined : toBytes(draft.body)
  return {
    call: draft.call,
    caller: draft.caller,
    method: draft.method,
    path: `/api${path}${query && `?${query}`}`,
    headers: {
      ...(draft.token !== undefined && { authorization: `Bearer ${draft.token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...draft.headers,
    },
    body,
    mutations: draft.mutations,
  }
}
