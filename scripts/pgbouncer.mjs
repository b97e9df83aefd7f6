import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.mjs'
import { Refusal } from './run.mjs'

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer', '/usr/local/bin/pgbouncer']

/** Finds a PgBouncer for the runs behind a pooler, or installs Debian's as root. Resolves to its path. */
export async function findPgbouncer() {
  const known = () => [process.env.PGBOUNCER_PATH ?? '', ...places].find((path) => path !== '' && existsSync(path))
  const found = known() ?? ((await installDebianPackage('pgbouncer')) ? known() : undefined)
  if (found === undefined) throw new Refusal('There is no PgBouncer; install one, or set PGBOUNCER_PATH to it.')
  return found
}
