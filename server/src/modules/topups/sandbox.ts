import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { topupServices } from '@olmos/contract/topup-data'
import { z } from 'zod'
import type { Database } from '../../platform/database.ts'
import { done, type Outcome, rejected, unknown } from '../../platform/outcome.ts'
import { accepted, jsonOf, type Notice } from '../payments/provider.ts'
import { isSignedNotice, signNotice } from '../payments/signature.rules.ts'
import { costFor, isNobody, isSlowToCheck, type Plan, planFor, playerNameOf } from './sandbox.rules.ts'
import {
  deliverTheLate,
  findTopup,
  insertExecution,
  insertTopup,
  lockTopup,
  reviveTopup,
  type SandboxTopup,
  takeUntold,
} from './sandbox.store.ts'
import { forged, refuseTooDear, type Supplier, type SupplierOrder, type SupplierRequest } from './supplier.ts'

/** A supplier that tops nobody up, and does to an order what the player's id asks for: sandbox.rules.ts. */
export interface SandboxSupplier extends Supplier {
  /** The notices that are due now, each as often as the sandbox tells it: twice. */
  takeNotices(now: Date): Promise<Notice[]>
}

const header = 'sandbox-signature'
const slowCheckMs = 3_000
const notice = z.object({ id: z.uuid(), order: z.uuid() })

/** What answers an order, and a look at it, for want of the real answer. */
const lostAnswers: Partial<Record<Plan, string>> = {
  'time-out-after': 'timeout',
  'time-out-before': 'timeout',
  'break-after': 'http_500',
  silence: 'timeout',
}
const refusals: Partial<Record<Plan, string>> = {
  reject: 'refused',
  'reject-for-float': 'float_empty',
  'reject-player': 'player_not_found',
  'refuse-code': 'code_refused',
}

/** Its books are in the database, so that it knows an order again after a restart. */
export function sandbox({
  database,
  secret = randomBytes(32).toString('hex'),
}: {
  database: Database
  secret?: string | undefined
}): SandboxSupplier {
  const carryOut = (request: SupplierRequest, plan: Plan) =>
    database.transaction(async (tx) => {
      const isDoneAtOnce = plan === 'deliver' || plan === 'time-out-after' || plan === 'break-after'
      const status = isDoneAtOnce ? 'done' : plan === 'deliver-late' ? 'pending' : 'lost'
      const made = await insertTopup(tx, request, status)
      if (made && isDoneAtOnce) await insertExecution(tx, made)
      if (made) return { topup: made, isNew: true }
      const before = await lockTopup(tx, request.key)
      if (before.status !== 'lost' || plan === 'silence') return { topup: before, isNew: false }
      await insertExecution(tx, before)
      return { topup: await reviveTopup(tx, request.key), isNew: false }
    })

  return {
    name: 'sandbox',
    sells: [...topupServices, 'code'],
    redeemsCodes: true,
    needsItem: false,
    settlesWithinSeconds: 0,

    async checkPlayer(_service, playerId) {
      if (isSlowToCheck(playerId)) await sleep(slowCheckMs)
      return isNobody(playerId) || playerId.length < 5 ? rejected('not_found') : done({ name: playerNameOf(playerId) })
    },

    async checkSteamLogin(login) {
      if (isSlowToCheck(login)) await sleep(slowCheckMs)
      return done({ canRefill: !isNobody(login) })
    },

    async order(request) {
      const dear = refuseTooDear(costFor(request), request.costAtMost, 'USD')
      if (dear) return dear
      const plan = planFor(request)
      const refusal = refusals[plan]
      if (refusal !== undefined) return rejected(refusal)
      const { topup, isNew } = await carryOut(request, plan)
      const lost = lostAnswers[plan]
      return lost !== undefined && (isNew || plan === 'silence') ? unknown(lost) : shown(topup, request)
    },

    async lookUp(request) {
      if (planFor(request) === 'silence') return unknown('timeout')
      await deliverTheLate(database)
      const topup = await findTopup(database, request.key)
      return topup && topup.status !== 'lost' ? shown(topup, request) : rejected('not_found')
    },

    readBalance: async () => done({ amount: 100_000, currency: 'USD' }),

    readWebhook({ body, headers, now }) {
      const signature = headers[header]
      if (typeof signature !== 'string' || !isSignedNotice(secret, body.toString(), signature, now)) {
        return forged('wrong signature')
      }
      const read = notice.safeParse(jsonOf(body))
      if (!read.success) return forged('not a notice')
      const { id: eventKey, order: supplierOrderId } = read.data
      return { verified: true, events: [{ eventKey, about: { supplierOrderId } }], reply: accepted }
    },

    async takeNotices(now) {
      await deliverTheLate(database)
      const untold = await takeUntold(database)
      return untold.flatMap(({ id }) => {
        const told = noticeOf(id, secret, now)
        return [told, told]
      })
    },
  }
}

function noticeOf(order: string, secret: string, now: Date): Notice {
  const body = JSON.stringify({ id: randomUUID(), order })
  return { body: Buffer.from(body), headers: { [header]: signNotice(secret, body, now) }, address: '127.0.0.1', now }
}

function shown({ id, key, status }: SandboxTopup, { wanted }: SupplierRequest): Outcome<SupplierOrder> {
  const isPending = status === 'pending' || status === 'lost'
  return done({
    supplierOrderId: id,
    status: isPending ? 'pending' : status,
    ...(wanted === 'code' && status === 'done' && { codes: [`SANDBOX-${key.toUpperCase()}`] }),
  })
}
