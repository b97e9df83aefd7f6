import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codeRow, drawCodeIds, insertCodes, knownFingerprints, leaveArchive, type ShelfBatch } from './codes.store.ts'

interface MarkedCode {
  plain: string
  fingerprint: Buffer
}

/** Few enough that PostgreSQL writes some while the next are sealed, and that purchases get their turn in between. */
const rowsAtOnce = 1_000

/** Computes a code's fingerprint, which every step of an import needs, once. */
export const markCode = (vault: Vault, plain: string): MarkedCode => ({ plain, fingerprint: vault.fingerprint(plain) })

const toFingerprints = (codes: readonly MarkedCode[]) => codes.map(({ fingerprint }) => fingerprint)

/** Returns, for each code in the order given, whether it is in stock, or was with a customer once. */
export async function areKnown(tx: Tx, codes: readonly MarkedCode[]): Promise<boolean[]> {
  const known = await knownFingerprints(tx, toFingerprints(codes))
  return codes.map(({ fingerprint }) => known.size > 0 && known.has(fingerprint.toString('hex')))
}

/** Takes codes out of the archive that nobody ever bought or saw, so that they can be shelved again; returns how many. */
export const unarchiveCodes = (tx: Tx, codes: readonly MarkedCode[]): Promise<number> =>
  leaveArchive(tx, toFingerprints(codes))

/**
 * Seals codes and puts them into a batch. Returns their ids in the order given; undefined for a code that another
 * transaction was quicker with.
 */
export async function shelveCodes(
  tx: Tx,
  vault: Vault,
  batch: ShelfBatch,
  codes: readonly (MarkedCode & { offerId: number })[],
): Promise<(number | undefined)[]> {
  const { ids, seal } = await tx.pipeline({
    ids: (tx) => drawCodeIds(tx, codes.length),
    seal: (tx) => vault.sealer(tx),
  })
  const added = new Set<number>()
  let writing: Promise<number[]> = Promise.resolve([])
  for (let start = 0; start < codes.length; start += rowsAtOnce) {
    const sealed = codes.slice(start, start + rowsAtOnce).map(({ offerId, fingerprint, plain }, at) => {
      const id = ids[start + at] as number
      return { id, offerId, fingerprint, ...seal(plain, codeRow(id)) }
    })
    for (const id of await writing) added.add(id)
    writing = insertCodes(tx, batch, sealed)
    // Who awaits it sees its failure; until then it must not end the process.
    writing.catch(() => {})
    await nextTurn()
  }
  for (const id of await writing) added.add(id)
  return ids.map((id) => (added.has(id) ? id : undefined))
}
