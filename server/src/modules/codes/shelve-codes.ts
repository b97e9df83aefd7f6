import type { Tx } from '../../platform/database/database.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codeRow, drawCodeIds, insertCodes, knownFingerprints, leaveArchive, type ShelfBatch } from './codes.store.ts'

interface PlainCode {
  offerId: number
  plain: string
}

const rowsAtOnce = 5_000

/** Returns, for each code in the order given, whether it is in stock, or was with a customer once. */
export async function areKnown(tx: Tx, vault: Vault, codes: readonly string[]): Promise<boolean[]> {
  const fingerprints = codes.map((plain) => vault.fingerprint(plain))
  const known = await knownFingerprints(tx, fingerprints)
  return fingerprints.map((fingerprint) => known.has(fingerprint.toString('hex')))
}

/** Takes codes out of the archive that nobody ever bought or saw, so that they can be shelved again; returns how many. */
export const unarchiveCodes = (tx: Tx, vault: Vault, codes: readonly string[]): Promise<number> =>
  leaveArchive(
    tx,
    codes.map((plain) => vault.fingerprint(plain)),
  )

/**
 * Seals codes and puts them into a batch. Returns their ids in the order given; undefined for a code that another
 * transaction was quicker with.
 */
export async function shelveCodes(
  tx: Tx,
  vault: Vault,
  batch: ShelfBatch,
  codes: readonly PlainCode[],
): Promise<(number | undefined)[]> {
  const shelved: (number | undefined)[] = []
  for (let start = 0; start < codes.length; start += rowsAtOnce) {
    const part = codes.slice(start, start + rowsAtOnce)
    const { ids, seal } = await tx.pipeline({
      ids: (tx) => drawCodeIds(tx, part.length),
      seal: (tx) => vault.sealer(tx),
    })
    const sealed = ids.map((id, at) => {
      const { offerId, plain } = part[at] as PlainCode
      return { id, offerId, fingerprint: vault.fingerprint(plain), ...seal(plain, codeRow(id)) }
    })
    const added = new Set(await insertCodes(tx, batch, sealed))
    for (const id of ids) shelved.push(added.has(id) ? id : undefined)
  }
  return shelved
}
