import type { Role } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import type { Database } from '../../platform/database.ts'
import { nicknameKey, nicknameSkeleton, requireUncommonPassword } from './accounts.rules.ts'
import { insertUser, type User } from './accounts.store.ts'
import type { Passwords } from './password.ts'

export interface NewUser {
  nickname: string
  password: string
  role: Role
}

/** Opens a user's account. The database opens the wallets and the cart with it. One that looks like another's is taken. */
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
