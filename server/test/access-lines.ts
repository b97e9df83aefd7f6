import type { CallerName, World } from './world.ts'

/** A request to an endpoint, made for a world in which it succeeds. */
export interface Sample {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

/** Which caller gets which status for a request about the owner's things, or the shop's. */
export interface AccessLine {
  expected: Record<CallerName, number>
  sample: (world: World) => Sample
}

const nothing = (): Sample => ({})

/** Replaces a status: anything but 401 and 403. Somebody else made the call before, so its subject may be gone. */
export const letIn = 0

/** Callers without a valid session, whatever they send. */
const unknownCallers = (status: number) => ({
  nobody: status,
  invented: status,
  expired: status,
  loggedOut: status,
  blocked: status,
})

/** Open to all callers, logged in or not. */
export const everybody = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...loggedIn(status).expected, ...unknownCallers(status) },
  sample,
})

/** Open to logged-in callers, about themselves. */
export const loggedIn = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: {
    ...unknownCallers(401),
    stranger: status,
    demoted: status,
    owner: status,
    admin: status,
    careless: status,
    factorless: status,
  },
  sample,
})

/** Open to the owner; admins have other calls. The others learn no more than what `refusal` says. */
export const ownerOnly = (status: number, refusal: number, sample: AccessLine['sample']): AccessLine => ({
  expected: { ...loggedIn(refusal).expected, owner: status },
  sample,
})

/** Open to admins; one who has a second factor need not have given it lately. */
export const adminOnly = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...loggedIn(403).expected, admin: status, careless: letIn, factorless: letIn },
  sample,
})

/** Open to admins; one who has a second factor is asked for it again. */
export const confirmedOnly = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...adminOnly(status).expected, careless: 401 },
  sample,
})
