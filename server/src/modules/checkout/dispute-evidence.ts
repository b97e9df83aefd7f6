import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { readOrder } from '../orders/admin-orders.ts'
import { type DisputeRow, findDispute } from '../payments/disputes.ts'
import type { Providers } from '../payments/providers.ts'
import { type EvidencePart, type EvidenceTexts, evidencePage, evidenceTexts } from './evidence-page.ts'

interface BuyerFacts {
  id: number
  nickname: string
  registered_at: Date
  days_before: number
  orders_before: number
  last_order_before: Date | null
}

/** Reads who bought, and what the store knew of them at that moment. */
const readBuyerFacts = (queries: Queries, orderId: string) =>
  queries.one<BuyerFacts>(sql`
    SELECT users.id, users.nickname, users.created_at AS registered_at,
      extract(day FROM orders.created_at - users.created_at)::int AS days_before,
      (SELECT count(*)::int FROM orders AS other WHERE other.user_id = users.id AND other.created_at < orders.created_at
        AND other.purpose = 'goods' AND other.status = 'completed') AS orders_before,
      (SELECT max(other.created_at) FROM orders AS other WHERE other.user_id = users.id
        AND other.created_at < orders.created_at AND other.purpose = 'goods' AND other.status = 'completed') AS last_order_before
    FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id = ${orderId}`)

interface PaymentFacts {
  provider: string
  provider_payment_id: string | null
  key: string
  amount: number
  currency: string
  status: string
  created_at: Date
  settled_at: Date | null
}

const readPaymentFacts = (queries: Queries, orderId: string) =>
  queries.rows<PaymentFacts>(sql`
    SELECT provider, provider_payment_id, key, coalesce(paid_amount, charge_amount, amount) AS amount,
      coalesce(paid_currency, charge_currency, currency) AS currency, status, created_at, settled_at
    FROM payment WHERE order_id = ${orderId} ORDER BY id`)

interface RevealFacts {
  code_id: number
  at: Date
  nickname: string
  is_by_link: boolean
}

/**
 * Reads when the buyer was shown a code of the order, the first time in each hour, or somebody to whom the buyer gave
 * the link of its receipt. What admins looked at is left out.
 */
const readRevealFacts = (queries: Queries, orderId: string) =>
  queries.rows<RevealFacts>(sql`
    SELECT code_reveal.code_id, code_reveal.created_at AS at, users.nickname, place = 'link' AS is_by_link
    FROM order_item JOIN code_sale ON code_sale.order_item_id = order_item.id
    LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number
    JOIN code_reveal ON code_reveal.code_id = code_sale.code_id AND place <> 'admin'
      AND code_reveal.created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')
    JOIN users ON users.id = code_reveal.user_id
    WHERE order_id = ${orderId} ORDER BY code_reveal.created_at, code_reveal.id`)

interface DeliveryFacts {
  title: string
  unit: number
  account: string | null
  player_name: string | null
  state: string
  decided_at: Date | null
  supplier: string | null
  supplier_order_id: string | null
  kind: string | null
  outcome: string | null
  asked_at: Date | null
  answered_at: Date | null
}

/**
 * Reads every call to a supplier about a unit of the order with its answer, and one row for a unit nobody was asked
 * about.
 */
const readDeliveryFacts = (queries: Queries, orderId: string) =>
  queries.rows<DeliveryFacts>(sql`
    SELECT coalesce(offer.name, order_item.game_currency) AS title, delivery.unit, topup_target.account,
      topup_target.player_name, delivery.state, delivery.decided_at, supplier_order.supplier,
      supplier_order.supplier_order_id, supplier_call.kind, supplier_call.outcome,
      supplier_call.created_at AS asked_at, supplier_call.ended_at AS answered_at
    FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    LEFT JOIN offer ON offer.id = order_item.offer_id
    LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
    LEFT JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    LEFT JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
    WHERE order_id = ${orderId} ORDER BY order_item.position, delivery.unit, supplier_call.id`)

interface WantedEvidence {
  disputeId: number
  adminId: number
  language: Language
  now: Date
}

type Order = Awaited<ReturnType<typeof readOrder>>['data']

/**
 * Makes one file of everything that shows that an order was placed, paid, delivered and seen. Writes to the audit log
 * who took it.
 */
export async function gatherEvidence(
  tx: Tx,
  { vault, providers }: { vault: Vault; providers: Providers },
  { disputeId, adminId, language, now }: WantedEvidence,
): Promise<{ name: string; html: string }> {
  const dispute = await findDispute(tx, disputeId)
  if (!dispute) throw new Failure('NOT_FOUND')
  const { order_id: orderId } = dispute
  const { data: order } = await readOrder({ database: tx, vault, providers }, orderId, language)
  const [buyer, payments, reveals, deliveries] = [
    await readBuyerFacts(tx, orderId),
    await readPaymentFacts(tx, orderId),
    await readRevealFacts(tx, orderId),
    await readDeliveryFacts(tx, orderId),
  ]
  await writeAudit(tx, {
    actorId: adminId,
    action: 'dispute.evidence',
    subject: `order:${orderId}`,
    after: { dispute_id: disputeId, reference: dispute.provider_dispute_id },
  })
  const t = evidenceTexts[language]
  const masked = new Map(order.items.flatMap(({ codes }) => codes.map((code) => [code.id, code.code] as const)))
  const parts: EvidencePart[] = [
    disputePart(t, dispute),
    orderPart(t, order),
    buyerPart(t, buyer),
    {
      title: t.payments,
      columns: [t.provider, t.paymentId, t.key, t.amount, t.status, t.opened, t.settled],
      rows: payments.map((payment) => [
        payment.provider,
        payment.provider_payment_id,
        payment.key,
        money(payment.amount, payment.currency),
        payment.status,
        toTime(payment.created_at),
        toTime(payment.settled_at),
      ]),
    },
    itemsPart(t, order),
    {
      title: t.codes,
      columns: [t.code, t.status, t.sold, t.firstSeen],
      rows: order.items.flatMap(({ codes }) =>
        codes.map((code) => [code.code, code.status, toTime(code.sold_at), toTime(code.revealed_at)]),
      ),
    },
    {
      title: t.reveals,
      columns: [t.code, t.seenAt, t.seenBy],
      rows: reveals.map((reveal) => [
        masked.get(reveal.code_id) ?? null,
        toTime(reveal.at),
        reveal.is_by_link ? t.byLink : reveal.nickname,
      ]),
    },
    {
      title: t.deliveries,
      columns: [t.product, t.unit, t.recipient, t.supplier, t.supplierOrder, t.question, t.asked, t.answered, t.answer],
      rows: deliveries.map((fact) => [
        fact.title,
        fact.unit,
        toRecipient(fact.account, fact.player_name),
        fact.supplier,
        fact.supplier_order_id,
        fact.kind,
        toTime(fact.asked_at),
        toTime(fact.answered_at ?? fact.decided_at),
        fact.outcome ?? fact.state,
      ]),
    },
    {
      title: t.terms,
      columns: [t.product, t.description, t.instructions],
      rows: order.items.map(({ product }) => [product.title, product.description, product.activation_instructions]),
    },
    {
      title: t.history,
      columns: [t.at, t.what, t.who],
      rows: order.timeline.map(({ at, kind, actor, details }) => [
        toTime(at),
        kind,
        details.place === 'link' ? t.byLink : actor,
      ]),
    },
  ]
  const html = evidencePage(language, {
    title: t.title.replace('{id}', orderId),
    lead: t.lead.replace('{at}', toTime(now)),
    parts,
  })
  return { name: `evidence-${orderId}-${disputeId}.html`, html }
}

/** Shows a time to the second, which is what banks compare. */
const toTime = (at: Date | string | null): string =>
  at === null ? '' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const money = (minor: number, currency: string): string => `${toMajor(minor).toFixed(2)} ${currency}`

const toRecipient = (account: string | null, name: string | null): string | null =>
  account && name ? `${account} (${name})` : account

const disputePart = (t: EvidenceTexts, dispute: DisputeRow): EvidencePart => ({
  title: t.dispute,
  facts: [
    [t.provider, dispute.provider],
    [t.reference, dispute.provider_dispute_id],
    [t.status, dispute.flag],
    [t.reason, dispute.reason],
    [t.amount, money(dispute.amount, dispute.currency)],
    [t.dueBy, toTime(dispute.due_by)],
  ],
})

const orderPart = (t: EvidenceTexts, order: Order): EvidencePart => ({
  title: t.order,
  facts: [
    [t.id, order.id],
    [t.placed, toTime(order.created_at)],
    [t.status, order.status],
    [t.paidBy, order.payment_method],
    [t.total, `${order.total_amount.toFixed(2)} ${order.currency}`],
    ...(order.from_balance > 0 ? [[t.fromBalance, `${order.from_balance.toFixed(2)} ${order.currency}`] as const] : []),
  ],
})

const buyerPart = (t: EvidenceTexts, buyer: BuyerFacts): EvidencePart => ({
  title: t.buyer,
  facts: [
    [t.id, buyer.id],
    [t.nickname, buyer.nickname],
    [t.registered, toTime(buyer.registered_at)],
    [t.accountAge, buyer.days_before],
    [t.ordersBefore, buyer.orders_before],
    [t.lastOrderBefore, toTime(buyer.last_order_before)],
  ],
})

const itemsPart = (t: EvidenceTexts, { items, currency }: Order): EvidencePart => ({
  title: t.items,
  columns: [t.product, t.quantity, t.price, t.status, t.recipient],
  rows: items.map((item) => [
    `${item.product.title}, ${item.game_amount} ${item.game_currency}`,
    item.quantity,
    `${item.amount.toFixed(2)} ${currency}`,
    item.status,
    item.topup_data &&
      toRecipient(item.topup_data.login || item.topup_data.player_id, item.topup_data.player_name ?? null),
  ]),
})
