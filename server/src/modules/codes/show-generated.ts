import type { GeneratedCode, GeneratedStatus } from '@olmos/contract/generated-codes'
import { toMajor } from '@olmos/contract/money'
import type { Vault } from '../../platform/vault.ts'
import { codeRow } from './codes.store.ts'
import { maskOfGenerated, prefixOf } from './generated-code.rules.ts'
import type { GeneratedRow } from './generated-codes.store.ts'

type Status = GeneratedRow['status']

export const isPublished = (status: Status): boolean =>
  status === 'available' || status === 'reserved' || status === 'used'

export const shownStatus = (status: Status): GeneratedStatus => (status === 'unpublished' ? 'available' : status)

/** A generated code as it is listed. One that was altered and does not open is a mask and nothing else. */
export async function shownGenerated(vault: Vault, row: GeneratedRow): Promise<GeneratedCode> {
  const { keyId, ciphertext, region_id, region_name, status, price_usd, price_rub, ...fields } = row
  const plain = await vault.unseal(row, codeRow(row.id)).catch(() => '')
  return {
    ...fields,
    prefix: prefixOf(plain),
    code: maskOfGenerated(plain),
    status: shownStatus(status),
    published: isPublished(status),
    price_usd: toMajor(price_usd),
    price_rub: toMajor(price_rub),
    activated_at: row.activated_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
