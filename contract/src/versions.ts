import { z } from 'zod'
import { time, version } from './fields.ts'

/** Which version it is, and whose; null where it came with the store, or nobody kept who it was. */
export const versionFields = { version, changed_at: time, changed_by: z.string().nullable() }

/** One version of what an owner sets: all that it said, but for secrets, which no version has. */
export const keptVersion = z.object({ ...versionFields, value: z.record(z.string(), z.unknown()) })
export type KeptVersion = z.infer<typeof keptVersion>

/** What was removed, as it was last: what it was made of, and by which id it can come back. */
export const removedThing = keptVersion.extend({ id: z.int() })
export type RemovedThing = z.infer<typeof removedThing>

/** Asks for an older version to be in force again, as a new one. */
export const restoredVersion = z.strictObject({
  /** The older one. */
  restored: version,
  /** The newest one that the admin saw. */
  version: version.optional(),
})
export type RestoredVersion = z.output<typeof restoredVersion>
