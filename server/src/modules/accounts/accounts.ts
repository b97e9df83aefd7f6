import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { passwordSchema, type Role } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import unhomoglyph from 'unhomoglyph'
import type { Config } from '../../config.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { exists } from '../../platform/database/lists.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { createTurns } from '../../platform/http/rate-limit.ts'
import type { Caller } from '../../platform/http/route.ts'
import { StartupError } from '../../platform/process.ts'
import { findUser, insertUser, replacePasswordHash, setContact, type User } from './accounts.store.ts'
import { deleteOtherSessions } from './sessions.ts'

// Passwords with a digit and at least eight characters that guessing programs try first.
const commonPasswords: ReadonlySet<string> = new Set(
  `
  00000000 000000000 0987654321 0okm9ijn 10203040 11111111 111111111 11223344 1122334455 112233445566 12121212
  123123123 123321123 12341234 12344321 123454321 12345678 123456789 1234567890 123456789a 123456789q 12345678a
  12345678q 1234567a 1234567q 123456aa 123456ab 123456abc 123456qq 123456qw 12345qwe 12345qwert 1234abcd
  1234qwer 123qwe123 123qweasd 12qwaszx 147258369 147852369 159357258 159357456 159753456 19891989 19901990
  19951995 1a2b3c4d 1a2b3c4d5e 1q1q1q1q 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx 1qazxsw2 20002000
  20102010 20202020 20232023 20242024 20252025 20262026 22222222 258456159 31415926 33333333 3edc4rfv 44444444
  456789123 55555555 5tgb6yhn 66666666 741852963 753951456 77777777 789456123 7ujm8ik9 852456789 87654321
  88888888 963852741 987654321 99999999 a1234567 a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 aaa11111
  ab123456 abc12345 abc123456 abc12345678 abcd1234 abcd12345 abcde12345 abcdef123 abcdefg1 admin123 admin1234
  admin12345 administrator1 almaty123 asdasd123 asdf1234 asdfghjkl1 ashley123 barcelona1 baseball1 batman123
  changeme1 changeme123 charlie1 chelsea123 computer1 default1 dragon123 football1 football123 fortnite1
  fortnite123 freefire1 freefire123 gamer123 gamer1234 garena123 guest123 guest1234 hello123 hello1234
  hello12345 iloveyou1 iloveyou123 internet1 jordan23 kazan123 killer123 letmein1 letmein123 liverpool1 lubov123
  m1234567 marina123 master123 michael1 minecraft1 minecraft123 monkey123 moscow123 nastya123 natasha1
  ozbekiston1 p4ssw0rd p4ssword parol123 parol1234 parol12345 passw0rd passw0rd1 password1 password12
  password123 password1234 player123 player1234 pokemon123 princess1 privet123 pubgmobile1 q1234567 q12345678
  q1w2e3r4 q1w2e3r4t5 qaz12345 qazaqstan1 qazwsx123 qwe12345 qwe123456 qwer1234 qwerty12 qwerty123 qwerty1234
  qwerty12345 qwerty123456 qwertyuiop1 realmadrid1 roblox123 roblox1234 russia123 s1234567 salom123 salom1234
  samarkand1 samsung1 samsung123 secret123 secret1234 shadow123 starwars1 sunshine1 superman1 tashkent1
  tashkent123 test1234 test12345 testing1 testing123 toshkent1 toshkent123 trustno1 user1234 user12345
  uzbekistan1 w1234567 welcome1 welcome123 whatever1 z1234567 zaq12wsx zaq1zaq1 zxc12345 zxcv1234 zxcvbnm1
  zxcvbnm123
`.split(/\s+/),
)

/** Normalises a nickname for uniqueness and look-up: two that differ only in case are one. */
export const nicknameKey = (nickname: string): string => nickname.normalize('NFKC').trim().toLowerCase()

/**
 * Reduces a nickname to its appearance: equal for two that look alike, such as admin and one with a Cyrillic а, an
 * accent, or a dotless i (Unicode Technical Standard 39, its table of confusables).
 */
const nicknameSkeleton = (nickname: string): string =>
  unhomoglyph(unhomoglyph(nicknameKey(nickname)).normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase()

/**
 * Whether guessing programs try the password, or it without its last character, first. Their list is loaded for the first
 * password that is chosen: it takes a tenth of a second and some megabytes, and a node that only sells needs none of it.
 */
async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const guessed = dictionary['passwords-common']
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+$/u, '')
  return [lower, bare].some((known) => commonPasswords.has(known) || guessed.includes(known))
}

/** Refuses a password that guessing programs try first, whoever chose it. */
export async function requireUncommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw new Failure('VALIDATION_FAILED', { password: 'password_too_common' })
}

// OWASP's smallest setting of argon2id: about 10 ms and 19 MB per hash.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const { atOnce, waiting: waitingAtMost, keptForLogins } = SERVER_LIMITS.passwordQueue

/**
 * Hashes and checks passwords, a few at a time: a flood gets 503 instead of the whole processor, and a part of the
 * queue is reserved for logins, so that nothing else can fill it up.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Checks a password for a login. */
  verify(passwordHash: string, password: string): Promise<boolean>
  /** Checks a password of a user who is logged in, one at a time per user, however many connections that user opens. */
  verifyForUser(userId: number, passwordHash: string, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const inTurn = createTurns({ atOnce, waitingAtMost, refusal: 'too many logins at once' })
  const users = new Set<number>()

  return {
    hash: (password) => inTurn(() => hash(password, cost), keptForLogins),
    verify: (passwordHash, password) => inTurn(() => verify(passwordHash, password)),
    async verifyForUser(userId, passwordHash, password) {
      if (users.has(userId)) throw new Failure('RATE_LIMITED', { retryAfterSeconds: 1 })
      users.add(userId)
      try {
        return await inTurn(() => verify(passwordHash, password), keptForLogins)
      } finally {
        users.delete(userId)
      }
    },
  }
}

/** Checks the caller's own password again. Refuses a wrong one as an error of its field. */
export async function requirePassword(
  database: Database,
  passwords: Passwords,
  caller: Caller,
  password: string,
): Promise<User> {
  const user = await findUser(database, caller.id)
  if (!user) throw new Failure('UNAUTHENTICATED')
  // A 401 would make the browser drop its session, which a mistyped field should not do.
  if (!(await passwords.verifyForUser(user.id, user.password_hash, password))) {
    throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
  }
  return user
}

/**
 * Sets a new password after checking the old one, and ends every other session. A temporary password must be replaced
 * by a different one, because somebody else knows it.
 */
export async function changePassword(
  database: Database,
  passwords: Passwords,
  caller: Caller,
  change: { currentPassword: string; password: string },
): Promise<void> {
  const user = await requirePassword(database, passwords, caller, change.currentPassword)
  if (user.is_password_temporary && change.password === change.currentPassword) {
    throw new Failure('VALIDATION_FAILED', { password: 'password_unchanged' })
  }
  await requireUncommonPassword(change.password)
  const passwordHash = await passwords.hash(change.password)
  await database.transaction(async (tx) => {
    const isSet = await replacePasswordHash(tx, caller.id, user.password_hash, passwordHash)
    if (!isSet) throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
    await deleteOtherSessions(tx, caller.id, caller.tokenHash)
  })
}

/** Sets how the caller can be reached, who gives the password again: it opens the way to a new one. */
export async function changeContact(
  database: Database,
  passwords: Passwords,
  caller: Caller,
  change: { currentPassword: string; contact: string },
): Promise<void> {
  const user = await requirePassword(database, passwords, caller, change.currentPassword)
  if (!(await setContact(database, user.id, user.password_hash, change.contact))) {
    throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
  }
}

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
  await requireUncommonPassword(user.password)
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

const skeletonsAtOnce = 1_000

/**
 * Runs at the start and stores the skeletons of nicknames that are older than this check. It is safe on several nodes
 * at once.
 */
export async function noteSkeletons(database: Database): Promise<void> {
  for (let lastId = 0; ; ) {
    const users = await usersWithoutSkeleton(database, lastId, skeletonsAtOnce)
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
  if (adminPassword !== undefined) await requireGoodPassword(adminPassword)
  const invented = adminPassword ? undefined : randomBytes(12).toString('base64url')
  const added = await insertUser(database, {
    nickname: adminNickname,
    nicknameKey: nicknameKey(adminNickname),
    nicknameSkeleton: nicknameSkeleton(adminNickname),
    passwordHash: await passwords.hash(adminPassword ?? (invented as string)),
    // The password is in a settings file or in the store's output.
    isPasswordTemporary: strictAdmins,
    role: 'admin',
  })
  // Another node that started at the same moment made it; its output has the password.
  if (!added && (await hasAdmin(database))) return undefined
  if (!added) {
    throw new StartupError(
      `The nickname ${adminNickname}, or one that looks like it, belongs to a customer; set another ADMIN_NICKNAME.`,
    )
  }
  return invented
}

async function requireGoodPassword(password: string): Promise<void> {
  const wrong = (what: string) => new StartupError(`The setting ADMIN_PASSWORD is wrong: ${what}.`)
  if (!passwordSchema.safeParse(password).success) {
    throw wrong(`it must have ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters, one of them a digit`)
  }
  if (await isCommonPassword(password)) throw wrong('it is one that guessing programs try first')
}
