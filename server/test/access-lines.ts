import type { CallerName, World } from './world.ts'

/** A request at an endpoint, made for a world it succeeds in. */
export interface Sample {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

/** Who gets which status for a request at the owner's things, or at the shop's. */
export interface AccessLine {
  expected: Record<CallerName, number>
  sample: (world: World) => Sample
}

const nothing = (): Sample => ({})

/** Instead of a status: anything but 401 and 403. Somebody else made the call before, so what it is about may be gone. */
export const letIn = 0

/** Who is nobody, whatever they send along. */
const unknownCallers = (status: number) => ({
  nobody: status,
  invented: status,
  expired: status,
  loggedOut: status,
  blocked: status,
})

/** For everybody, logged in or not. */
export const everybody = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...loggedIn(status).expected, ...unknownCallers(status) },
  sample,
})

/** For who is logged in, about themselves. */
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

/** For the owner; an admin has other ways. The others learn no more than what `refusal` says. */
export const ownerOnly = (status: number, refusal: number, sample: AccessLine['sample']): AccessLine => ({
  expected: { ...loggedIn(refusal).expected, owner: status },
  sample,
})

/** For admins; one who has a second factor need not have given it lately. */
export const adminOnly = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...loggedIn(403).expected, admin: status, careless: letIn, factorless: letIn },
  sample,
})

/** For admins; one who has a second factor is asked for it again. */
export const confirmedOnly = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { ...adminOnly(status).expected, careless: 401 },
  sample,
})
