import { adminAccess } from './access-admins.ts'
import { customerAccess } from './access-customers.ts'
import type { AccessLine } from './access-lines.ts'

/**
 * Every endpoint by its name, for each of the callers. It is written by hand and not derived from the contract, so that
 * a mistake there shows. An endpoint without a line fails the test.
 */
export const accessTable: Readonly<Record<string, AccessLine>> = { ...customerAccess, ...adminAccess }

/** Payment providers and suppliers are answered in their own format, even when they are refused. */
export const hasOwnReplies = (name: string): boolean => / \/(payment|supplier)\/webhook\//.test(name)
