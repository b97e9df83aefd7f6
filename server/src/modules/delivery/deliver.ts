import type { DeliveryState } from '@olmos/contract/deliveries'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { resumeTrace } from '../../platform/live/tracing.ts'
import { beforeSending, done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import { sellBoughtCode } from '../codes/codes.store.ts'
import { isRecalled, returnPoolCode, spendPoolCode } from '../codes/spend-codes.ts'
import type { LockedOrder } from '../orders/order-states.ts'
import { dollarRates } from '../rates/rates.ts'
import { numberInForce } from '../shop/shop.ts'
import { type Supplier, type SupplierOrder, type SupplierRequest, tooDear } from '../topups/supplier.ts'
import { supplierNamed } from '../topups/suppliers.ts'
import { findServiceByProduct, type ProductService, readProductServices, toVendorAccount } from '../topups/topups.ts'
import {
  type Claim,
  type DeliveryShop,
  giveToOperator,
  type OpenOrder,
  type Ordered,
  orderedColumns,
  orderedJoins,
  setDecided,
  settleOrder,
  setWaiting,
} from './deliveries.ts'
import {
  capCost,
  codeRecalled,
  codeRefused,
  costAtMost,
  lookUpBackoff,
  toVerdict,
  type Verdict,
} from './delivery.rules.ts'
import { faultsOfTheShop, noteHealth } from './supplier-health.ts'
import { leaveToOperator, lockClaimed, type OpenCall, openCall, openResend, setOrder } from './supplier-orders.ts'

/** Leases the delivery that has been due longest to this worker; undefined while nothing is due. */
const claimDue = (queries: Queries) =>
  queries.maybe<Claim>(sql`
    WITH due AS (
      SELECT id FROM delivery WHERE next_at <= now() AND (held_until IS NULL OR held_until < now())
      ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE delivery SET attempt = attempt + 1,
        held_until = now() + make_interval(secs => ${SERVER_LIMITS.deliveryLeaseSeconds})
      FROM due WHERE delivery.id = due.id RETURNING delivery.*)
    SELECT claimed.id, claimed.attempt, claimed.next_at::text AS due_at, claimed.state, claimed.look_ups, claimed.unit, claimed.traceparent,
      claimed.tried_since < now() - make_interval(mins => claimed.promised_minutes) AS is_late,
      claimed.promised_minutes, claimed.operator_since IS NOT NULL AS is_operators, claimed.sent_though_held,
      order_item.id AS item_id, order_item.order_id, order_item.offer_id, order_item.unit_price,
      order_item.unit_price + order_item.unit_discount AS full_price, ${orderedColumns},
      ${numberInForce('on_demand_cost_percent')} AS code_cost_percent,
      (SELECT currency FROM orders WHERE id = order_item.order_id) AS currency,
      coalesce((SELECT pricing = 'combination' FROM offer JOIN product ON product.id = product_id
        WHERE offer.id = order_item.offer_id), false) AS has_pool,
      (SELECT json_build_object('id', id, 'supplier', supplier, 'key', key, 'code_id', code_id, 'item', item,
          'supplier_product_id', supplier_product_id, 'cost_at_most', cost_at_most::text, 'supplier_order_id', supplier_order_id,
          'account_mark', encode(account_mark, 'hex'), 'age_seconds', extract(epoch FROM now() - sent_at))
        FROM supplier_order WHERE delivery_id = claimed.id AND state IN ('sent', 'unknown')) AS open_order
    FROM claimed
    JOIN order_item ON order_item.id = claimed.order_item_id ${orderedJoins}`)

const readState = (queries: Queries, id: number) =>
  queries.one<{ state: DeliveryState }>(sql`SELECT state FROM delivery WHERE id = ${id}`)

/** Whether the supplier gave this name to another order before. */
const isNameTaken = async (tx: Tx, { id, supplier }: OpenOrder, supplierOrderId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM supplier_order
    WHERE supplier = ${supplier} AND supplier_order_id = ${supplierOrderId} AND id <> ${id}`)) !== undefined

const endCall = (tx: Tx, id: number, outcome: string, reason: string | null) =>
  tx.run(sql`UPDATE supplier_call SET outcome = ${outcome}, reason = ${reason}, ended_at = now() WHERE id = ${id}`)

/**
 * Raises an alert when a supplier charges more for something than it may cost. One that accepts an order shows that its
 * price is acceptable, and the shop's key to it: that closes what says otherwise.
 */
async function noteTerms(tx: Tx, claim: Claim, { order }: OpenCall, verdict: Verdict): Promise<void> {
  // Codes of the pool are the shop's own, and cost nothing.
  if (order.code_id !== null) return
  const subject = `${order.supplier}:${order.item ?? claim.item ?? claim.wanted}`
  if ('why' in verdict && verdict.why === tooDear) {
    const details = { order: claim.order_id, ...verdict.facts }
    // Every order of it meets this price until an operator fixes it.
    await raiseAlert(tx, { kind: 'offer.too_dear', subject, details, whenChanged: 'refresh' })
  }
  const isTaken = (verdict.is === 'done' || verdict.is === 'pending') && order.supplier_order_id === null
  if (!isTaken) return
  await resolveAlert(tx, 'offer.too_dear', subject)
  await resolveAlert(tx, 'supplier.no_rate', order.supplier)
  await resolveAlert(tx, 'supplier.not_allowed', order.supplier)
}

/**
 * Stores a supplier's answer, and what the delivery becomes by it. A worker that came too late, because another one has
 * claimed the delivery since, stores nothing. Returns the call that has to be made next, if there is one.
 */
const noteAnswer = (
  shop: DeliveryShop,
  claim: Claim,
  call: OpenCall,
  answer: Outcome<SupplierOrder>,
): Promise<OpenCall | undefined> =>
  shop.database.transaction(async (tx) => {
    const verdict = toVerdict(answer, {
      kind: call.kind,
      isRepeat: call.isRepeat,
      ageSeconds: call.order.age_seconds,
      settlesWithinSeconds: settlesWithin(shop, call),
    })
    const order = await lockClaimed(tx, claim)
    return order ? write(tx, { shop, claim, call, order }, verdict) : refuseLate(tx, shop, claim, verdict)
  })

/** Nothing proves to a supplier that remembers nothing that an order was sent before, so none is ever sent again there. */
function settlesWithin({ suppliers }: DeliveryShop, { order }: OpenCall): number {
  const supplier = supplierNamed(suppliers, order.supplier)
  return !supplier || supplier.remembers === 'nothing' ? Number.POSITIVE_INFINITY : supplier.settlesWithinSeconds
}

interface Noted {
  shop: DeliveryShop
  claim: Claim
  call: OpenCall
  order: LockedOrder
}

async function write(tx: Tx, noted: Noted, answered: Verdict): Promise<OpenCall | undefined> {
  const { shop, claim, call } = noted
  const verdict = await keepRecall(tx, call, await keepCode(tx, noted, await checkName(tx, call, answered)))
  await endCall(tx, call.id, verdict.is, 'why' in verdict ? verdict.why : null)
  await noteTerms(tx, claim, call, verdict)
  if (verdict.is === 'not_found') return openResend(tx, shop, claim, { sent: call.order, order: noted.order })
  if (verdict.is === 'done') await deliver(tx, noted, verdict)
  if (verdict.is === 'pending') await keepWaiting(tx, noted, verdict)
  if (verdict.is === 'rejected') await takeNextRoute(tx, noted, verdict)
  if (verdict.is === 'unknown') await lookAgain(tx, noted, verdict)
  await settleOrder(tx, noted.order)
}

/** Two orders can't share a supplier's name: such an answer does not say what became of this one. */
async function checkName(tx: Tx, { order }: OpenCall, verdict: Verdict): Promise<Verdict> {
  if (!('supplierOrderId' in verdict)) return verdict
  const isTaken = await isNameTaken(tx, order, verdict.supplierOrderId)
  return isTaken ? { is: 'unknown', why: 'name_of_another_order' } : verdict
}

/** A bought code is the customer's; unless there is exactly one and it is new, nobody knows yet what was bought. */
async function keepCode(tx: Tx, { shop, claim, call }: Noted, verdict: Verdict): Promise<Verdict> {
  if (claim.wanted !== 'code' || verdict.is !== 'done') return verdict
  const [code, ...others] = verdict.codes
  if (code === undefined || others.length > 0)
    return { is: 'unknown', why: code === undefined ? 'no_code' : 'several_codes' }
  const place = { itemId: claim.item_id, offerId: claim.offer_id as number, unit: claim.unit }
  const { supplier } = call.order
  const isNew = await sellBoughtCode(tx, shop.vault, { ...place, code, supplier, cost: verdict.cost })
  return isNew ? verdict : { is: 'unknown', why: 'code_known' }
}

/** A code of the pool that never arrived is not sent again once it is recalled. */
async function keepRecall(tx: Tx, { order }: OpenCall, verdict: Verdict): Promise<Verdict> {
  if (verdict.is !== 'not_found' || order.code_id === null) return verdict
  return (await isRecalled(tx, order.code_id)) ? { is: 'rejected', why: codeRecalled } : verdict
}

type Placed = Extract<Verdict, { is: 'done' | 'pending' }>

async function deliver(tx: Tx, { claim, call }: Noted, { supplierOrderId, cost }: Placed): Promise<void> {
  await setOrder(tx, call.order.id, { state: 'done', supplierOrderId, cost })
  if (call.order.code_id !== null) await spendPoolCode(tx, call.order.code_id, claim.unit)
  await setDecided(tx, claim.id, 'done', null)
  await resolveAlert(tx, 'delivery.stuck', `delivery:${claim.id}`)
}

async function keepWaiting(tx: Tx, { claim, call }: Noted, { supplierOrderId, cost }: Placed): Promise<void> {
  await setOrder(tx, call.order.id, { state: 'sent', supplierOrderId, cost })
  await pause(tx, claim, 'sent', null)
  if (call.order.supplier === 'manual') await giveToOperator(tx, claim.id, { isAlone: true })
  else if (claim.is_late && !claim.is_operators) await leaveToOperator(tx, claim, 'not_done_yet')
}

type Refused = Extract<Verdict, { is: 'rejected' }>

async function takeNextRoute(tx: Tx, { claim, call }: Noted, { why, isUnsent }: Refused): Promise<void> {
  const { order } = call
  await setOrder(tx, order.id, { state: 'rejected', reason: why, isUnsent })
  if (order.code_id !== null) await returnPoolCode(tx, order.code_id, why === codeRefused ? 'error' : 'available')
  await setWaiting(tx, claim.id, { state: 'queued', seconds: 0, lookUps: 0, reason: why })
  const kind = faultsOfTheShop.get(why)
  // Every order meets this fault until an operator fixes it.
  const details = { order: claim.order_id }
  if (kind) await raiseAlert(tx, { kind, subject: order.supplier, details, whenChanged: 'refresh' })
}

async function lookAgain(
  tx: Tx,
  { claim, call }: Noted,
  { why, retryAfterSeconds }: Extract<Verdict, { is: 'unknown' }>,
): Promise<void> {
  await setOrder(tx, call.order.id, { state: 'unknown', reason: why })
  await pause(tx, claim, 'unknown', why, retryAfterSeconds)
  if (claim.is_late && !claim.is_operators) await leaveToOperator(tx, claim, why)
}

/**
 * Waits until the next look-up, and at least as long as the supplier asked for; not at all when a webhook, or an operator,
 * wanted it looked up since it was claimed: what they know may be newer than the answer.
 */
const pause = (tx: Tx, claim: Claim, state: 'sent' | 'unknown', reason: string | null, notBefore = 0) =>
  setWaiting(tx, claim.id, {
    state,
    seconds: Math.max(lookUpBackoff(claim.look_ups), notBefore),
    wasDueAt: claim.due_at,
    lookUps: claim.look_ups + 1,
    reason,
  })

/**
 * Whatever the late worker has learnt, the next look-up learns too; but a refunded delivery is not looked up any more.
 */
async function refuseLate(tx: Tx, { log }: DeliveryShop, claim: Claim, verdict: Verdict): Promise<undefined> {
  log.warn({ delivery: claim.id, attempt: claim.attempt, verdict: verdict.is }, 'a late write was refused')
  const { state } = await readState(tx, claim.id)
  if (verdict.is !== 'done' || state !== 'rejected') return
  await raiseAlert(tx, {
    kind: 'delivery.done_after_refund',
    subject: `delivery:${claim.id}`,
    details: { order: claim.order_id },
  })
}

/**
 * Takes the delivery that is due one step further; returns whether there was one. `onClaim` is called as soon as it is
 * leased.
 */
export async function deliverNext(shop: DeliveryShop, onClaim = () => {}): Promise<boolean> {
  const claim = await claimDue(shop.database)
  if (!claim) return false
  onClaim()
  const { id, attempt, traceparent } = claim
  const attributes = { 'olmos.delivery': id, 'olmos.attempt': attempt }
  await resumeTrace(shop.telemetry, { traceparent, name: 'deliver', kind: 'consumer', attributes }, () =>
    takeFurther(shop, claim),
  )
  return true
}

async function takeFurther(shop: DeliveryShop, claim: Claim): Promise<void> {
  const claimedAt = performance.now()
  let call = await openCall(shop, claim)
  while (call && isStillLeased(claimedAt)) {
    const { supplier } = call.order
    const answer = await ask(shop, claim, call)
    // What was answered must not be lost with it: the order may be one that can't be looked up without its id.
    await noteHealth(shop.database, supplier, answer, { ...call, orderId: claim.order_id }).catch((error) =>
      shop.log.error({ err: error, supplier }, 'health of a supplier not noted'),
    )
    call = await noteAnswer(shop, claim, call, answer)
  }
}

/** A worker that was delayed may have lost its delivery to another: it makes no further calls. */
const isStillLeased = (claimedAt: number): boolean =>
  performance.now() - claimedAt <
  SERVER_LIMITS.deliveryLeaseSeconds * 1000 - stepRequests * SERVER_LIMITS.vendorTimeoutMs

/** How many requests a step may make: for the price, the order, the one that was sent before it, and its codes. */
const stepRequests = 4

/** Why an order may not be sent now, though it may be looked for. */
type Ban = 'buyer_held' | 'supplier_off' | 'other_account'

/** Whether an order was sent at another account than the supplier's present one, as far as both are known. */
const isOfOtherAccount = ({ accountMark }: Supplier, { account_mark }: OpenOrder): boolean =>
  account_mark !== null && accountMark !== undefined && account_mark !== accountMark

function findBan({ suppliers }: DeliveryShop, { order, isFrozen }: OpenCall, supplier: Supplier): Ban | undefined {
  if (isOfOtherAccount(supplier, order)) return 'other_account'
  if (isFrozen) return 'buyer_held'
  return suppliers.configured.includes(supplier) ? undefined : 'supplier_off'
}

/** What a look-up that must not buy came to: where it would have bought, or nothing is there, the ban is the reason. */
function explain(answer: Outcome<SupplierOrder>, ban: Ban): Outcome<SupplierOrder> {
  if (answer.kind === 'done') return answer
  const { retryAfterSeconds } = answer
  const isNoAnswer = answer.kind === 'unknown' && answer.why !== tooDear
  // Not found at another account proves nothing, and what is not found for a frozen buyer is stopped.
  if (ban === 'other_account' || (answer.kind === 'rejected' ? ban === 'supplier_off' : !isNoAnswer))
    return unknown(ban, { retryAfterSeconds })
  return answer
}

/** What is said of another order than the one that was asked about says nothing of it, not even that it failed. */
const refuseOthers = (
  { supplier_order_id: name }: OpenOrder,
  answer: Outcome<SupplierOrder>,
): Outcome<SupplierOrder> =>
  answer.kind === 'done' && name !== null && answer.value.supplierOrderId !== name
    ? unknown('name_of_another_order')
    : answer

/** Asks the supplier, outside any transaction. Whatever goes wrong on the way, the outcome is unknown. */
async function ask(shop: DeliveryShop, claim: Claim, call: OpenCall): Promise<Outcome<SupplierOrder>> {
  const { database, suppliers, log } = shop
  const { kind, order, code, isRepeat } = call
  const supplier = supplierNamed(suppliers, order.supplier)
  if (!supplier) return unknown('not_configured', { isUnsent: true })
  const ban = findBan(shop, call, supplier)
  if (ban && kind === 'submit') return unknown(ban, { isUnsent: true })
  // By the supplier's own name for it an order is only read.
  const isBanned = ban !== undefined && order.supplier_order_id === null
  let isUnsent = true
  try {
    const rubles = claim.currency === 'RUB' ? (await dollarRates(database)).get('RUB') : undefined
    const service = await readService(database, claim, order)
    const said = toRequest(claim, { order, code, fieldNames: service?.field_names ?? {} })
    const token = kind === 'submit' ? await readToken(supplier, service, said) : undefined
    // That the player is not found now says nothing of the order that may have been sent before.
    if (token?.kind === 'rejected' && isRepeat) return unknown(token.code)
    if (token && token.kind !== 'done') return beforeSending(token)
    // What may cost nothing is not bought, also where a look-up sends the order again.
    const cap = isBanned ? 0n : capCost(costAtMost(claim, rubles), order.cost_at_most)
    const repeat = kind === 'submit' && isRepeat ? { isRepeat } : {}
    const request = { ...said, ...token?.value, ...repeat, costAtMost: cap }
    const sent = { supplierOrderId: order.supplier_order_id, ageSeconds: order.age_seconds }
    isUnsent = false
    const told = kind === 'submit' ? await supplier.order(request) : await supplier.lookUp(request, sent)
    const answer = refuseOthers(order, told)
    if (answer.kind !== 'done') log.warn({ delivery: claim.id, supplier: supplier.name, kind, answer }, 'not delivered')
    return isBanned ? explain(answer, ban) : answer
  } catch (error) {
    log.error({ err: error, delivery: claim.id, supplier: supplier.name }, 'a supplier broke')
    return unknown('broke', { isUnsent })
  }
}

/**
 * Reads what the supplier of an order calls the game and its fields: that by which the order was sent, else the product's.
 * Undefined where the names are the same.
 */
export async function readService(
  queries: Queries,
  { service }: Pick<Ordered, 'service'>,
  { supplier, supplier_product_id }: Pick<OpenOrder, 'supplier' | 'supplier_product_id'>,
): Promise<ProductService | undefined> {
  if (supplier_product_id !== null) return findServiceByProduct(queries, supplier_product_id)
  if (service === null) return undefined
  return (await readProductServices(queries, service)).find((known) => known.supplier === supplier)
}

/**
 * Asks for the token that the order has to come with, if this game needs one: for its account, and just before it is sent, so
 * that none is ever kept, too old, or of another account.
 */
async function readToken(
  supplier: Supplier,
  service: ProductService | undefined,
  { account }: Pick<SupplierRequest, 'account'>,
): Promise<Outcome<{ token: string }> | undefined> {
  if (!service?.check_reference || !supplier.checkPlayer || !supplier.givesToken?.(service.reference)) return undefined
  const player = await supplier.checkPlayer(service.check_reference, account)
  if (player.kind === 'unknown') return player
  if (player.kind === 'rejected') return rejected('player_not_found')
  return player.value.token === undefined ? unknown('no_token') : done({ token: player.value.token })
}

interface SupplierWords {
  order: Pick<OpenOrder, 'key' | 'item'>
  code: string | undefined
  fieldNames: ProductService['field_names']
}

export const toRequest = (
  claim: Ordered,
  { order, code, fieldNames }: SupplierWords,
): Omit<SupplierRequest, 'costAtMost'> => ({
  key: order.key,
  wanted: claim.wanted,
  account: toVendorAccount(claim.account_fields ?? {}, fieldNames),
  item: order.item ?? claim.item,
  ...(claim.steam_amount !== null &&
    claim.steam_currency !== null && { steam: { amount: claim.steam_amount, currency: claim.steam_currency } }),
  ...(code !== undefined && { code }),
})
