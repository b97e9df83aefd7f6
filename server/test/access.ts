import { adminAccess } from './access-admins.ts'
import { customerAccess } from './access-customers.ts'
import type { AccessLine } from './access-lines.ts'

/**
 * Every endpoint by its name, for each of the callers. Written down by hand and not taken from the contract, so that a
 * slip there shows. An endpoint without a line fails the test.
 */
export const accessTable: Readonly<Record<string, AccessLine>> = { ...customerAccess, ...adminAccess }

/** Payment providers and suppliers are answered in their own way, also when they are refused. */
export const hasOwnReplies = (name: string): boolean => / \/(payment|supplier)\/webhook\//.test(name)
