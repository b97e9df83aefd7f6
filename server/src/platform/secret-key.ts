import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

const keyBytes = 32

/** The installation's secret in `dataDir`, made on the first start. Whoever loses it loses the codes. */
export async function keepSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key')
  try {
    await writeFile(path, `${randomBytes(keyBytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (key.length !== keyBytes)
    throw new StartupError(`The file ${path} is damaged; put the secret key back from a backup.`)
  return key
}
