import { disputesApi } from '@olmos/contract/disputes'
import type { Context } from '../../platform/context.ts'
import { decideDispute, openDispute, releaseDispute } from './decide-dispute.ts'
import { evidenceOf } from './dispute-evidence.ts'

export function disputesAdmin({ serve, clock, vault }: Context): void {
  serve.once(disputesApi.open, async ({ user, params, body }, tx) => ({
    data: await openDispute(tx, { ...body, orderId: params.id, adminId: user.id, now: clock.now() }),
  }))

  serve.once(disputesApi.decide, async ({ user, params, body }, tx) => ({
    data: await decideDispute(tx, { ...body, id: params.id, adminId: user.id, now: clock.now() }),
  }))

  serve.once(disputesApi.release, async ({ user, params, body }, tx) => ({
    data: await releaseDispute(tx, { ...body, id: params.id, adminId: user.id }),
  }))

  serve.once(disputesApi.evidence, async ({ user, params, language }, tx) => ({
    data: await evidenceOf(tx, vault, { disputeId: params.id, adminId: user.id, language, now: clock.now() }),
  }))
}
