import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Decimal, one, parseDecimal } from '@olmos/contract/decimal'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import { type Queries, sql, type Tx } from '../../../platform/database/queries.ts'
import {
  accepted,
  forged,
  sandboxSettings,
  sandboxSigner,
  toJson,
  type Webhook,
} from '../../../platform/vendor/adapters.ts'
import { done, type Outcome, rejected, unknown } from '../../../platform/vendor/vendor.ts'
import {
  type Account,
  fillFields,
  refuseTooDear,
  type Supplier,
  type SupplierAdapter,
  type SupplierDeps,
  type SupplierOrder,
  type SupplierRequest,
  toCost,
  type VendorField,
} from '../supplier.ts'
import { findSandboxForm, isTokenNeeded, sandboxCatalogueAt, toSandboxToken } from './sandbox-catalogue.ts'

/** What the sandbox does with an order; what is not said here it delivers at once. */
type Plan =
  | 'deliver'
  | 'reject'
  | 'reject-for-float'
  | 'reject-player'
  | 'refuse-code'
  /** Delivers, and the answer is lost. */
  | 'time-out-after'
  /** Delivers, and answers that it broke. */
  | 'break-after'
  /** The first time it does nothing and says nothing; sent again, it delivers. */
  | 'time-out-before'
  /** Never says what it did. */
  | 'silence'
  | 'deliver-late'

/** What happens to an order, by the last four digits of a value of its account. */
const plans: Readonly<Record<string, Plan>> = {
  '6001': 'reject',
  '6002': 'time-out-after',
  '6003': 'time-out-before',
  '6004': 'silence',
  '6005': 'deliver-late',
  '6006': 'reject-for-float',
  '6007': 'break-after',
}

/** What a unit costs there that is dearer than anybody pays, in USD. */
export const sandboxDear: Decimal = 1_000_000n * one

type Asked = Pick<SupplierRequest, 'account' | 'item' | 'code'>

/**
 * Lists the texts whose last digits decide what happens: every value of the account, because nobody promises their order, or
 * the item, for a code that is bought for nobody.
 */
const toTriggers = ({ account, item }: Asked): string[] => {
  const values = Object.values(account)
  return values.length > 0 ? values : [item ?? '']
}

/** Whether a ware that is not in its catalogue, and so is free otherwise, has become dear: one with a trigger of 6008. */
const isDear = (asked: Asked): boolean =>
  asked.code === undefined && toTriggers(asked).some((trigger) => trigger.endsWith('6008'))

const isNobody = (account: Account): boolean => Object.values(account).some((value) => value.endsWith('404'))
const isSlowToCheck = (account: Account): boolean => Object.values(account).some((value) => value.endsWith('5001'))

/** The one value, or the first of several, that is long enough to be a player's id: a zone is not. */
const findPlayerId = (account: Account): string | undefined => Object.values(account).find((value) => value.length >= 5)

/** A code that is spent on a player is refused when it ends so. */
const badCode = /0000$/

function planFor(asked: Asked): Plan {
  if (asked.code !== undefined && badCode.test(asked.code)) return 'refuse-code'
  if (isNobody(asked.account)) return 'reject-player'
  const [plan = 'deliver'] = toTriggers(asked).flatMap((trigger) => plans[trigger.slice(-4)] ?? [])
  return plan
}

interface SandboxTopup {
  id: string
  key: string
  account: string
  item: string
  status: 'pending' | 'done' | 'failed' | 'lost'
  created_at: Date
}

const columns = sql`id, key, account, item, status, created_at`

const toItem = ({ item, steam, code }: SupplierRequest): string => {
  if (steam) return `${steam.amount} ${steam.currency}`
  return code === undefined ? (item ?? '') : 'code'
}

/** Formats an account as the store does: `51234`, `51234 (2001)`. */
function toText({ account, item }: SupplierRequest): string {
  const form = findSandboxForm((item ?? '').replace(/\/.*/s, '')) ?? []
  const ordered = (form.length > 0 && fillFields(form, account)) || account
  const [first = '', ...others] = Object.values(ordered)
  return others.length > 0 ? `${first} (${others.join(', ')})` : first
}

/** Answers none when there is an order under the key. */
const insertTopup = (tx: Tx, request: SupplierRequest, status: SandboxTopup['status']) =>
  tx.maybe<SandboxTopup>(sql`
    INSERT INTO sandbox_topup (key, service, account, item, status, done_at)
    VALUES (${request.key}, ${request.wanted}, ${toText(request)}, ${toItem(request)}, ${status},
      CASE WHEN ${status} = 'pending' THEN now() + make_interval(secs => ${SERVER_LIMITS.sandboxDelaySeconds}) END)
    ON CONFLICT (key) DO NOTHING RETURNING ${columns}`)

const lockTopup = (tx: Tx, key: string) =>
  tx.one<SandboxTopup>(sql`SELECT ${columns} FROM sandbox_topup WHERE key = ${key} FOR UPDATE`)

const reviveTopup = (tx: Tx, key: string) =>
  tx.one<SandboxTopup>(sql`UPDATE sandbox_topup SET status = 'done' WHERE key = ${key} RETURNING ${columns}`)

const insertExecution = (tx: Tx, { key, account, item }: SandboxTopup) =>
  tx.run(sql`INSERT INTO sandbox_execution (key, account, item) VALUES (${key}, ${account}, ${item})`)

/** Delivers what was promised for by now. */
const deliverTheLate = (queries: Queries) =>
  queries.run(sql`
    WITH delivered AS (
      UPDATE sandbox_topup SET status = 'done' WHERE status = 'pending' AND done_at <= now()
      RETURNING key, account, item)
    INSERT INTO sandbox_execution (key, account, item) SELECT key, account, item FROM delivered`)

const findTopup = (queries: Queries, key: string) =>
  queries.maybe<SandboxTopup>(sql`SELECT ${columns} FROM sandbox_topup WHERE key = ${key}`)

/** Takes the late ones that were delivered and not reported yet, and marks them as reported. */
const takeUnsent = (queries: Queries) =>
  queries.rows<{ id: string }>(sql`
    UPDATE sandbox_topup SET told = 2 WHERE status = 'done' AND done_at IS NOT NULL AND told = 0 RETURNING id`)

const readSecondsToNext = (queries: Queries) =>
  queries.one<{ seconds: number | null }>(sql`
    SELECT extract(epoch FROM min(done_at) - now())::float8 AS seconds FROM sandbox_topup WHERE told = 0`)

/** A supplier that tops nobody up, and does to an order what its account asks for (`plans`). */
export interface SandboxSupplier extends Supplier {
  /** The webhooks that are due now, each as often as the sandbox tells it: twice. */
  takeWebhooks(now: Date): Promise<Webhook[]>
  /** Reads in how many seconds the next webhook is due; undefined while none is. */
  readSecondsToWebhook(): Promise<number | undefined>
}

const slowCheckMs = 3_000
const webhook = z.object({ id: z.uuid(), order: z.uuid() })

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

/** Tops nobody up. Its books are in the database, so that it knows an order again after a restart. */
export const sandboxSupplier = {
  name: 'sandbox',
  settings: sandboxSettings,
  account: [],
  unreal: 'delivers nothing real',
  create: createSandbox,
} satisfies SupplierAdapter<typeof sandboxSettings>

/** Whether this is the sandbox, which can do more than any other. */
export const isSandboxSupplier = (supplier: Supplier): supplier is SandboxSupplier =>
  supplier.name === sandboxSupplier.name

function createSandbox(
  settings: z.output<typeof sandboxSettings>,
  { database, clock }: Pick<SupplierDeps, 'database' | 'clock'>,
): SandboxSupplier {
  const { sign, isSigned } = sandboxSigner(settings)

  /** Rejects what it does not sell in this way, or not for so little. What is not of its catalogue it sells to everybody. */
  const refuseWare = (request: SupplierRequest): Outcome<never> | undefined => {
    const { wanted, account, item, code, token, costAtMost } = request
    if (token !== undefined && token !== toSandboxToken(token.replace(/\..*/s, ''), account))
      return rejected('wrong_token')
    if (isDear(request)) return refuseTooDear(sandboxDear, costAtMost, 'USD')
    const ware = code === undefined && item !== null ? sandboxCatalogueAt(clock.now()).find(item) : undefined
    if (!ware) return undefined
    if ((wanted === 'code') !== (ware.service.kind === 'code')) return rejected('no_item')
    if (!ware.product || !ware.isSold) return rejected('gone')
    if (ware.product.stock === 0) return rejected('out_of_stock')
    const fields = fillFields(ware.service.fields, account)
    if (!fields) return rejected('other_fields')
    if (!isAllChosen(ware.service.fields, fields)) return rejected('no_such_option')
    if (ware.product.currency !== 'USD') return rejected('no_rate')
    return refuseTooDear(parseDecimal(ware.product.cost) ?? 0n, costAtMost, 'USD')
  }

  const isBought = async (key: string): Promise<boolean> => {
    const topup = await findTopup(database, key)
    return topup !== undefined && topup.status !== 'lost'
  }

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
    sells: ['topup', 'amount', 'code'],
    redeemsCodes: true,
    needsItem: false,
    settlesWithinSeconds: 0,
    // Its books have every order for good.
    remembers: 'own_reference',

    listServices: async (cursor) => done(sandboxCatalogueAt(clock.now()).listServices(cursor)),
    listProducts: async (service, cursor) => sandboxCatalogueAt(clock.now()).listProducts(service, cursor),
    listOptions: async (service, field) => sandboxCatalogueAt(clock.now()).listOptions(service, field),

    givesToken: isTokenNeeded,

    async checkPlayer(service, account) {
      if (isSlowToCheck(account)) await sleep(slowCheckMs)
      if (isNobody(account)) return rejected('not_found')
      if (service === 'steam') return done({ name: null })
      const form = findSandboxForm(service)
      if (form && !fillFields(form, account)) return unknown('other_fields')
      const playerId = findPlayerId(account)
      if (playerId === undefined) return rejected('not_found')
      const token = toSandboxToken(service, account)
      return done({ name: `Player_${playerId.slice(-4)}`, ...(token !== undefined && { token }) })
    },

    async order(request) {
      const no = refuseWare(request)
      // What was bought under the key before is that order, whatever has become of the ware.
      if (no && !(await isBought(request.key))) return no
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

    readWebhook(told) {
      if (!isSigned(told)) return forged('wrong signature')
      const read = webhook.safeParse(toJson(told.body))
      if (!read.success) return forged('not a webhook')
      const { id: eventKey, order: supplierOrderId } = read.data
      return { verified: true, events: [{ eventKey, about: { supplierOrderId } }], reply: accepted }
    },

    async takeWebhooks(now) {
      await deliverTheLate(database)
      const untold = await takeUnsent(database)
      return untold.flatMap(({ id }) => {
        const told = sign({ id: randomUUID(), order: id }, now)
        return [told, told]
      })
    },

    readSecondsToWebhook: async () => (await readSecondsToNext(database)).seconds ?? undefined,
  }
}

/** Whether each choice is one that the form offers. */
const isAllChosen = (form: readonly VendorField[], account: Account): boolean =>
  form.every(({ key, options }) => !options || options.some(({ value }) => value === account[key]))

function shown(
  { id, key, item, status, created_at }: SandboxTopup,
  { wanted }: SupplierRequest,
): Outcome<SupplierOrder> {
  const isPending = status === 'pending' || status === 'lost'
  const cost = parseDecimal(sandboxCatalogueAt(created_at).find(item)?.product?.cost ?? '')
  return done({
    supplierOrderId: id,
    status: isPending ? 'pending' : status,
    ...(wanted === 'code' && status === 'done' && { codes: [`SANDBOX-${key.toUpperCase()}`] }),
    ...(cost !== undefined && { cost: toCost(cost, 'USD') }),
  })
}
