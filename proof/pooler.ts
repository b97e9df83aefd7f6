import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../scripts/find-program.mjs'
import { freePort } from '../server/src/platform/embedded/supervisor.ts'
import { endProcess } from './process.ts'

export interface Pooler {
  url: string
  /** The end of its log. */
  lastWords(): string
  stop(): Promise<void>
}

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer', '/usr/local/bin/pgbouncer']
const nobody = 65_534
const openWithinMs = 10_000

/**
 * PgBouncer in transaction mode in front of the database. With few sessions for many clients each of them meets what others
 * left behind. Its settings are those of docs/operations.md: none that would let a client's settings through.
 */
export async function startPooler(databaseUrl: string, folder: string, sessions = 8): Promise<Pooler> {
  const program = await findProgram('pgbouncer', places)
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const port = await freePort()
  const own = await mkdtemp(join(folder, 'pooler-'))
  await chmod(own, 0o711)
  const users = join(own, 'users.txt')
  const settings = join(own, 'pgbouncer.ini')
  await writeFile(users, `"${username}" "${password}"\n`)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
server_login_retry = 0.2
log_connections = 0
log_disconnections = 0
log_stats = 0
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const logPath = join(own, 'log')
  const log = openSync(logPath, 'a')
  const child = spawn(program, [settings], { stdio: ['ignore', 'ignore', log], ...user })
  closeSync(log)
  await untilOpen(port)
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    lastWords: () => readFileSync(logPath, 'utf8').trimEnd().slice(-1_000),
    // It keeps nothing that could be lost, and told to end it would wait for clients that are still connected.
    stop: () => endProcess(child, 'SIGKILL'),
  }
}

async function untilOpen(port: number): Promise<void> {
  for (const deadline = Date.now() + openWithinMs; ; await sleep(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((tell) => socket.on('connect', () => tell(true)).on('error', () => tell(false)))
    socket.destroy()
    if (isOpen) return
    if (Date.now() > deadline) throw new Error('PgBouncer did not open.')
  }
}
