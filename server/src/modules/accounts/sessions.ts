import { createHash, randomBytes } from 'node:crypto'
import type { Database, Queries } from '../../platform/database.ts'
import type { Caller } from '../../platform/serve.ts'
import { findSession, insertSession, renewSession } from './accounts.store.ts'

const tokenBytes = 32

/** What is kept of a token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Opens a session and answers its token, which is known to nobody else from then on. */
export async function openSession(queries: Queries, userId: number): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  await insertSession(queries, userId, hashOf(token))
  return token
}

/** The user whose living session the token opens. Its 30 days begin anew when it is used. */
export async function callerOf(database: Database, token: string): Promise<Caller | undefined> {
  const tokenHash = hashOf(token)
  const session = await findSession(database, tokenHash)
  if (!session) return undefined
  if (session.is_to_renew) await renewSession(database, tokenHash)
  return {
    id: session.id,
    nickname: session.nickname,
    role: session.role,
    tokenHash,
    mustConfirm: session.must_confirm,
  }
}
