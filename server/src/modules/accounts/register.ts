import { randomBytes } from 'node:crypto'
import { passwordSchema, type Role } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import type { Config } from '../../config.ts'
import { StartupError } from '../../platform/closing.ts'
import type { Database } from '../../platform/database/database.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { insertUser, type User } from './accounts.store.ts'
import { nicknameKey, nicknameSkeleton, type Passwords, requireUncommonPassword } from './passwords.ts'

/** Users after this id whose nickname is older than the check for lookalikes. */
const usersWithoutSkeleton = (queries: Queries, afterId: number, limit: number) =>
  queries.rows<{ id: number; nickname: string }>(sql`
    SELECT id, nickname FROM users WHERE nickname_skeleton IS NULL AND id > ${afterId} ORDER BY id LIMIT ${limit}`)

/** Among users who look alike only the oldest gets the skeleton. */
const setSkeletons = (queries: Queries, users: readonly { id: number; skeleton: string }[]) =>
  queries.run(sql`
    UPDATE users SET nickname_skeleton = given.skeleton
    FROM (
      SELECT DISTINCT ON (skeleton) id, skeleton
      FROM unnest(${users.map(({ id }) => id)}::int[], ${users.map(({ skeleton }) => skeleton)}::text[]) AS new (id, skeleton)
      ORDER BY skeleton, id) AS given
    WHERE users.id = given.id AND NOT EXISTS (
      SELECT FROM users AS other WHERE other.nickname_skeleton = given.skeleton)`)

interface NewUser {
  nickname: string
  password: string
  role: Role
  contact?: string | null | undefined
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
    contact: user.contact ?? '',
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

const hasAdmin = (queries: Queries) => exists(queries, sql`SELECT FROM users WHERE role = 'admin'`)

/**
 * Makes the first admin if there is none, and returns the password if it was made up here. A given one has to meet the
 * rules of registration.
 */
export async function makeFirstAdmin(
  database: Database,
  passwords: Passwords,
  { adminNickname, adminPassword, strictAdmins }: Pick<Config, 'adminNickname' | 'adminPassword' | 'strictAdmins'>,
): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined
  if (adminPassword !== undefined) requireGoodPassword(adminPassword)
  const invented = adminPassword ? undefined : randomBytes(12).toString('base64url')
  const added = await insertUser(database, {
    nickname: adminNickname,
    nicknameKey: nicknameKey(adminNickname),
    passwordHash: await passwords.hash(adminPassword ?? (invented as string)),
    // The password is in a settings file or in the store's output.
    isPasswordTemporary: strictAdmins,
    role: 'admin',
  })
  // Another node that started at the same moment made it; its output has the password.
  if (!added && (await hasAdmin(database))) return undefined
  if (!added) throw new StartupError(`The nickname ${adminNickname} belongs to a customer; set another ADMIN_NICKNAME.`)
  return invented
}

function requireGoodPassword(password: string): void {
  const wrong = (what: string) => new StartupError(`The setting ADMIN_PASSWORD is wrong: ${what}.`)
  if (!passwordSchema.safeParse(password).success) {
    throw wrong(`it must have ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters, one of them a digit`)
  }
  try {
    requireUncommonPassword(password)
  } catch {
    throw wrong('it is one that guessing programs try first')
  }
}
