import { isStorable } from '@olmos/contract/storable'
import { z } from 'zod'

/**
 * What a vendor calls something: an id, a key, a state. It is compared and sent back letter for letter, so one that the
 * database could not hold as it is makes the whole message unreadable.
 */
export const vendorName = (lengthMax: number) => z.string().min(1).max(lengthMax).refine(isStorable)

/**
 * What a vendor says in words: why, in which currency. Nothing hangs on its letters, so what can't be kept of it is marked
 * as missing instead of losing a message about money because of it.
 */
export const vendorWords = (lengthMax: number) =>
  z.string().transform((text) => text.replaceAll('\u0000', '\ufffd').toWellFormed().slice(0, lengthMax).toWellFormed())

/** Seconds since 1970, within what a Date can say and the database can keep: until the year 9999. */
export const vendorSeconds = z.int().min(0).max(253_402_300_799)
