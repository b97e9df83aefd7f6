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

/** For everybody, logged in or not. */
export const everybody = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { nobody: status, expired: status, stranger: status, demoted: status, owner: status, admin: status },
  sample,
})

/** For who is logged in, about themselves. */
export const loggedIn = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { nobody: 401, expired: 401, stranger: status, demoted: status, owner: status, admin: status },
  sample,
})

/** For the owner; an admin has other ways. The others learn no more than what `refusal` says. */
export const ownerOnly = (status: number, refusal: number, sample: AccessLine['sample']): AccessLine => ({
  expected: { nobody: 401, expired: 401, stranger: refusal, demoted: refusal, owner: status, admin: refusal },
  sample,
})

export const adminOnly = (status: number, sample: AccessLine['sample'] = nothing): AccessLine => ({
  expected: { nobody: 401, expired: 401, stranger: 403, demoted: 403, owner: 403, admin: status },
  sample,
})
