import { randomBytes } from 'node:crypto'
import { passwordSchema } from '@olmos/contract/accounts'
import { LIMITS } from '@olmos/contract/limits'
import type { Config } from '../../config.ts'
import { StartupError } from '../../platform/closing.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasAdmin, insertUser } from './accounts.store.ts'
import { nicknameKey, type Passwords, requireUncommonPassword } from './passwords.ts'

/**
 * Makes the first admin where there is none; answers the password if it was invented here. One that was given keeps the
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
    // It stands in a file of settings, or in what the store printed.
    isPasswordTemporary: strictAdmins,
    role: 'admin',
  })
  // Another node starting at the same moment made it; its output has the password.
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
