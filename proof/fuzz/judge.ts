import { failureStatus } from '@olmos/contract/failure-codes'
import { accessTable, hasOwnReplies } from '../../server/test/access.ts'
import type { WireAnswer } from '../wire.ts'
import type { Operation } from './operations.ts'
import type { FuzzRequest } from './request.ts'
import type { FuzzWorld } from './world.ts'

/** What a finding is about; each is a line of the table at the end. */
export const faults = [
  'answers of 5xx that are not documented',
  'no answer',
  'stacks, SQL and paths told',
  'leaks',
  'let in without the right',
  'successes of another shape than described',
  'refusals of another shape',
] as const
export type Fault = (typeof faults)[number]

export interface Complaint {
  fault: Fault
  what: string
}

/** What the store says of itself when something around it is missing; anything else of 5xx is a bug. */
const documented: ReadonlySet<string> = new Set([
  // No provider or supplier is set up in a run, or it was asked for by a name that is not.
  'SUPPLIER_UNAVAILABLE',
  'PAYMENT_PROVIDER_UNAVAILABLE',
  // The queues of passwords and of pages are full. A database in trouble says it too, and is listed with its call.
  'OVERLOADED',
])

/** A webhook of a provider or supplier that this store has no settings of; such a machine is answered in words. */
const isNotSetUp = ({ call }: FuzzRequest, { status, text }: WireAnswer): boolean =>
  status === 503 && /^POST \/(?:payment|supplier)\/webhook\//.test(call) && / is not configured$/.test(text)

/** What only an answer from inside holds: frames of a stack, statements, words of PostgreSQL, files. */
const insides =
  /(?:\n|\\n)\s+at \S+ \(|node_modules\/|\bfile:\/\/\/|\.ts:\d+|\bSELECT .+ FROM\b|\bINSERT INTO\b|violates \w+[ -]\w+ constraint|invalid input syntax for|syntax error at or near|relation "\w+"|TypeError|ZodError|ECONNREFUSED/

/** Calls that exist to show codes in plain text to an admin, and note who looked. */
const showsCodes: ReadonlySet<string> = new Set([
  'POST /admin/codes/:id/reveal',
  'POST /admin/generated-codes/generate',
  'POST /admin/generated-codes/copy',
])

export interface Judged {
  complaints: Complaint[]
  /** '503 OVERLOADED at POST /auth/login', of a refusal of 5xx that is documented. */
  documentedFailure: string | undefined
}

/** Holds one answer against everything that is promised of answers. */
export async function judgeAnswer(
  request: FuzzRequest,
  answer: WireAnswer | undefined,
  operations: ReadonlyMap<string, Operation>,
  world: FuzzWorld,
): Promise<Judged> {
  if (!answer)
    return { complaints: [{ fault: 'no answer', what: 'the connection ended' }], documentedFailure: undefined }
  const complaints: Complaint[] = []
  const complain = (fault: Fault, what: string | undefined) => {
    if (what !== undefined) complaints.push({ fault, what })
  }
  const { status, text } = answer
  const isApiPath = /^\/api(?:[/?]|$)/.test(request.path)
  const operation = isCallItself(request, operations.get(request.call))
  const code = status >= 400 && isApiPath ? toCode(text) : undefined
  const isDocumented =
    status >= 500 && (documented.has(code ?? '') || isBusyPage(request, answer) || isNotSetUp(request, answer))

  if (status >= 500 && !isDocumented)
    complain('answers of 5xx that are not documented', `${status} ${text.slice(0, 200)}`)
  // Scripts of pages may well hold such words.
  const told =
    isApiPath && !request.path.startsWith('/api/docs') ? insides.exec(withoutSent(text, request))?.[0] : undefined
  complain('stacks, SQL and paths told', told?.slice(0, 200))
  for (const what of await world.canaries.leaks(seenBy(request, answer, world))) complain('leaks', what)
  if (operation && status < 300) {
    complain('let in without the right', findTrespass(request, operation))
    complain('successes of another shape than described', misshapenSuccess(request, answer, operation))
  }
  if (status >= 400 && isApiPath && request.method !== 'HEAD') {
    complain('refusals of another shape', misshapenRefusal(request, answer))
  }
  return { complaints, documentedFailure: isDocumented ? `${status} ${code ?? 'page'} at ${request.call}` : undefined }
}

/** The operation, unless the request went elsewhere: by another method or along another path. */
function isCallItself(request: FuzzRequest, operation: Operation | undefined): Operation | undefined {
  if (!operation || request.method !== operation.method) return undefined
  const pattern = operation.path.replace(/:\w+/g, '[^/?]+')
  return new RegExp(`^/api${pattern}/?(?:\\?|$)`).test(request.path) ? operation : undefined
}

const isBusyPage = ({ path }: FuzzRequest, { status, headers }: WireAnswer) =>
  status === 503 && !path.startsWith('/api') && headers['retry-after'] !== undefined

function seenBy(
  { caller, call, path, body, headers }: FuzzRequest,
  { text, headers: answered }: WireAnswer,
  world: FuzzWorld,
) {
  const isAdmin = caller === 'admin' || caller === 'careless'
  const { owner, strangerId, admin, careless } = world
  const ids = { nobody: undefined, owner: owner.id, stranger: strangerId, admin: admin.id, careless: careless.id }
  const { authorization: _, ...others } = headers
  return {
    text: `${text}\n${JSON.stringify(answered)}`,
    userId: ids[caller],
    isAdmin,
    sent: `${decoded(path)} ${body?.toString() ?? ''} ${JSON.stringify(others)}`,
    showsCodes: showsCodes.has(call),
    isPayPage: /^[A-Z]+ \/sandbox\/payments\//.test(call),
  }
}

const decoded = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)))

/** What the request itself said may come back, as the name of something an admin made. */
const withoutSent = (text: string, { body }: FuzzRequest): string => (insides.test(body?.toString() ?? '') ? '' : text)

function findTrespass({ caller, headers }: FuzzRequest, { name, isProtected }: Operation): string | undefined {
  const expected = accessTable[name]?.expected
  if (!isProtected) return undefined
  if (caller === 'nobody' && headers.authorization === undefined) return `nobody got in`
  const isForAdmins = expected !== undefined && expected.owner === 403
  return isForAdmins && (caller === 'owner' || caller === 'stranger') ? `a customer got in` : undefined
}

function misshapenSuccess(request: FuzzRequest, { status, text, headers }: WireAnswer, { name, answers }: Operation) {
  if (hasOwnReplies(name) || String(headers['content-type']).startsWith('text/event-stream')) return undefined
  const check = answers.get(status)
  if (!check) return `${status} is not described`
  if (status === 204 || request.method === 'HEAD') return text === '' ? undefined : 'a body where there is none'
  const body = parsed(text)
  return body === undefined ? 'no JSON' : check(body.value)
}

function misshapenRefusal({ call, path }: FuzzRequest, { status, text }: WireAnswer): string | undefined {
  if (hasOwnReplies(call) && /\/webhook\//.test(path)) return undefined
  const body = parsed(text)?.value as { success?: unknown; error?: Record<string, unknown> } | undefined
  const { success, error, ...more } = body ?? {}
  if (success !== false || typeof error !== 'object' || error === null) return `${status} ${text.slice(0, 100)}`
  const { code, message, details, ...rest } = error
  if (typeof code !== 'string' || !Object.hasOwn(failureStatus, code)) return `the code ${String(code)}`
  if (failureStatus[code as keyof typeof failureStatus] !== status) return `${code} with status ${status}`
  if (typeof message !== 'string' || (details !== undefined && typeof details !== 'object')) return text.slice(0, 100)
  const unknown = [...Object.keys(more), ...Object.keys(rest)]
  return unknown.length > 0 ? `also ${unknown.join(', ')}` : undefined
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function toCode(text: string): string | undefined {
  const body = parsed(text)?.value as { error?: { code?: unknown } } | undefined
  const code = body?.error?.code
  return typeof code === 'string' ? code : undefined
}
