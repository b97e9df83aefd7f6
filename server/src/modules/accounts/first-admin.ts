import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { nicknameKey } from './accounts.rules.ts'
import { hasAdmin, insertUser } from './accounts.store.ts'
import type { Passwords } from './password.ts'

/** Makes the first admin where there is none; answers the password if it was invented here. */
export async function makeFirstAdmin(
  database: Database,
  passwords: Passwords,
  { adminNickname, adminPassword }: Pick<Config, 'adminNickname' | 'adminPassword'>,
): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined
  const invented = adminPassword ? undefined : randomBytes(12).toString('base64url')
  const added = await insertUser(database, {
    nickname: adminNickname,
    nicknameKey: nicknameKey(adminNickname),
    passwordHash: await passwords.hash(adminPassword ?? (invented as string)),
    role: 'admin',
  })
  // Another node starting at the same moment made it; its output has the password.
  if (!added && (await hasAdmin(database))) return undefined
  if (!added) throw new StartupError(`The nickname ${adminNickname} belongs to a customer; set another ADMIN_NICKNAME.`)
  return invented
}
