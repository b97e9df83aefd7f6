import type { ListedCode } from '@olmos/contract/codes'
import { toMajor } from '@olmos/contract/money'
import type { Sealed, Vault } from '../../platform/vault.ts'
import { codeRow } from './codes.store.ts'
import { maskOf } from './mask.rules.ts'
import type { StockRow } from './stock.store.ts'

/** One that was altered and does not open is a mask and nothing else: revealing it says so. */
export const maskedCode = async (vault: Vault, sealed: Sealed & { id: number }): Promise<string> =>
  maskOf(await vault.unseal(sealed, codeRow(sealed.id)).catch(() => ''))

/** A code as it is listed. */
export async function shownStock(vault: Vault, row: StockRow): Promise<ListedCode> {
  const { keyId, ciphertext, price_usd, price_rub, created_at, ...fields } = row
  return {
    ...fields,
    code: await maskedCode(vault, row),
    price_usd: toMajor(price_usd),
    price_rub: toMajor(price_rub),
    created_at: created_at.toISOString(),
  }
}
