import { randomBytes } from 'node:crypto'
import { passwordSchema } from '@olmos/contract/accounts'
import { LIMITS } from '@olmos/contract/limits'
import type { Config } from '../../config.ts'
import { StartupError } from '../../platform/closing.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasAdmin, insertUser } from './accounts.store.ts'
import { nicknameKey, type Passwords, requireUncommonPassword } from './passwords.ts'

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
