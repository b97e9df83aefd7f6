import { Failure } from '@olmos/contract/failure'
import { violatedUnique } from './database-trouble.ts'

/** Refuses an edit of something that somebody else changed since: STATE_CONFLICT with what is there now. */
export function requireVersion(current: { version: number }, seen: number | undefined): void {
  if (seen !== undefined && seen !== current.version) throw new Failure('STATE_CONFLICT', { current })
}

/** Refuses a write that runs into the unique constraint: DUPLICATE, naming the field. */
export async function orDuplicate<T>(write: Promise<T>, constraint: string, field: string): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violatedUnique(error) === constraint) throw new Failure('DUPLICATE', { [field]: 'duplicate' })
    throw error
  }
}
