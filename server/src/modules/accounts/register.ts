import type { Role } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import type { Database } from '../../platform/database/database.ts'
import { insertUser, setSkeletons, type User, usersWithoutSkeleton } from './accounts.store.ts'
import { nicknameKey, nicknameSkeleton, type Passwords, requireUncommonPassword } from './passwords.ts'

interface NewUser {
  nickname: string
  password: string
  role: Role
}

/**
 * Opens a user's account; the database adds the wallets and the cart. A nickname that looks like another counts as
 * taken.
 */
export async function register(database: Database, passwords: Passwords, user: NewUser): Promise<User> {
  requireUncommonPassword(user.password)
  const passwordHash = await passwords.hash(user.password)
  const added = await insertUser(database, {
    nickname: user.nickname,
    nicknameKey: nicknameKey(user.nickname),
    nicknameSkeleton: nicknameSkeleton(user.nickname),
    passwordHash,
    role: user.role,
  })
  if (!added) throw new Failure('NICKNAME_TAKEN')
  return added
}

const atOnce = 1_000

/**
 * Runs at the start and stores the skeletons of nicknames that are older than this check. It is safe on several nodes
 * at once.
 */
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
