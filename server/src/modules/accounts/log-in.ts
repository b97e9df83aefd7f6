import { Failure } from '@olmos/contract/failure'
import type { Context } from '../../platform/context.ts'
import { type RateLimiter, toNetwork } from '../../platform/http/rate-limit.ts'
import { findUserByNickname, type User } from './accounts.store.ts'
import type { LoginGate } from './login-gate.ts'
import { nicknameKey, type Passwords } from './passwords.ts'
import { confirmSession, hasSecondFactor, takeCode } from './second-factor.ts'
import { deviceToken, hashToken, isKnownDevice, openSession, type SessionOrigin, toOrigin } from './sessions.ts'

interface Credentials {
  nickname: string
  password: string
  otp?: string | undefined
  device?: string | undefined
}

interface LoginMeans extends Pick<Context, 'database' | 'vault' | 'clock' | 'security'> {
  passwords: Passwords
  gate: LoginGate
  /** Limits attempts at codes of the second factor. */
  tries: RateLimiter
}

/**
 * Opens a session for a nickname with its password, and the second factor if there is one. An unknown nickname is 404,
 * because registering reveals as much; only a caller who knows the password learns that the user is blocked. Refuses
 * with INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED or RATE_LIMITED.
 */
export async function logIn(
  means: LoginMeans,
  credentials: Credentials,
  caller: { address: string; userAgent: string },
) {
  const { address } = caller
  const { database, vault, security, gate } = means
  const network = toNetwork(address)
  const user = await findUserByNickname(database, nicknameKey(credentials.nickname))
  if (!user) {
    security.note('login_refused', { network, reason: 'unknown_nickname' })
    throw new Failure('USER_NOT_FOUND')
  }
  const { device } = credentials
  const known = device !== undefined && isKnownDevice(vault, user, device) ? device : undefined
  const attempt = await gate({ userId: user.id, address, device: known }).catch((error) => {
    security.note('login_limited', { user: user.id, network })
    throw error
  })
  if (!(await isRight(means, attempt, user, credentials.password))) {
    security.note('login_refused', { user: user.id, network, reason: 'wrong_password' })
    throw new Failure('INVALID_CREDENTIALS')
  }
  if (user.is_blocked) {
    security.note('login_refused', { user: user.id, network, reason: 'blocked' })
    throw new Failure('FORBIDDEN', { user: 'blocked' })
  }
  const token = await openSessionWith(means, user, credentials.otp, toOrigin(caller))
  await attempt.forget()
  security.note('login', { user: user.id, network })
  return {
    token,
    nickname: user.nickname,
    userId: user.id,
    device: known ?? deviceToken(vault, user),
    ...(user.is_password_temporary && { mustChangePassword: true as const }),
  }
}

/** A password that the store was too busy to check does not count as an attempt. */
async function isRight(
  { passwords }: LoginMeans,
  attempt: Awaited<ReturnType<LoginGate>>,
  user: User,
  password: string,
) {
  try {
    return await passwords.verify(user.password_hash, password)
  } catch (error) {
    await attempt.releaseTry()
    throw error
  }
}

/** Opens a session after the password was given; a user with a second factor must have given that too. */
async function openSessionWith(
  { database, vault, clock, tries, security }: LoginMeans,
  user: User,
  otp: string | undefined,
  origin: SessionOrigin,
): Promise<string> {
  if (!(await hasSecondFactor(database, user.id))) return openSession(database, user, origin)
  if (!otp) throw new Failure('SECOND_FACTOR_REQUIRED')
  await tries.count(String(user.id))
  const token = await database.transaction(async (tx) => {
    if (!(await takeCode(tx, { vault, clock }, user.id, otp))) {
      security.note('second_factor_refused', { user: user.id, network: origin.network ?? undefined })
      throw new Failure('INVALID_CREDENTIALS', { otp: 'wrong_code' })
    }
    const opened = await openSession(tx, user, origin)
    await confirmSession(tx, hashToken(opened))
    return opened
  })
  await tries.forget(String(user.id))
  return token
}
