import type { disputesApi } from '@olmos/contract/disputes'
import type { SentBody } from '@olmos/contract/endpoint'
import { caller } from '../../api/client.ts'

const open = caller<typeof disputesApi.open>('POST /admin/orders/:id/dispute')
const decide = caller<typeof disputesApi.decide>('POST /admin/disputes/:id/decide')
const release = caller<typeof disputesApi.release>('POST /admin/disputes/:id/release')
const evidence = caller<typeof disputesApi.evidence>('POST /admin/disputes/:id/evidence')

export type WantedDispute = SentBody<typeof disputesApi.open>

export const openDispute = (orderId: string, body: WantedDispute) =>
  open({ params: { id: orderId }, body }, { once: `dispute:${orderId}:${body.reference}` })

export type DisputeDecision = 'won' | 'lost' | 'release'

export const decideDispute = (id: number, decision: DisputeDecision, reason: string) =>
  decision === 'release'
    ? release({ params: { id: String(id) }, body: { reason } }, { once: `dispute:${id}:${decision}` })
    : decide({ params: { id: String(id) }, body: { status: decision, reason } }, { once: `dispute:${id}:${decision}` })

export const takeEvidence = (id: number) => evidence({ params: { id: String(id) }, body: {} })
