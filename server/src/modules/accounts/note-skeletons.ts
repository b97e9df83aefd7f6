import type { Database } from '../../platform/database.ts'
import { nicknameSkeleton } from './accounts.rules.ts'
import { setSkeletons, usersWithoutSkeleton } from './accounts.store.ts'

const atOnce = 1_000

/** At the start: notes what nicknames look like that were taken before that was looked at. Safe to run on several nodes at once. */
export async function noteSkeletons(database: Database): Promise<void> {
  for (let lastId = 0; ; ) {
    const users = await usersWithoutSkeleton(database, lastId, atOnce)
    if (users.length === 0) return
    await setSkeletons(
      database,
      users.map(({ id, nickname }) => ({ id, skeleton: nicknameSkeleton(nickname) })),
    )
    lastId = users.at(-1)?.id ?? lastId
  }
}
