import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Closers } from '../../server/src/platform/process.ts'
import { endProcess, makeDataFolder } from '../process.ts'

const runFile = promisify(execFile)
const mirror = 'http://deb.debian.org/debian'
const bootsWithinMs = 60_000
/** Mounts and processes of its own, which end with it, so that the folder can be taken away then. */
const inNamespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
const looksEveryMs = 250
const goneWithinMs = 5_000

/** A Debian with nothing on it, which systemd runs as it runs a rented one. */
export interface Machine {
  /** Its files, as this machine sees them. */
  root: string
  /** A shell of its root user, which ends at the first command that fails. */
  openShell(): MachineShell
}

export interface MachineShell {
  /** Runs lines as if they were pasted; answers what they printed. Throws an Error with its end when one of them failed. */
  paste(lines: string): Promise<string>
  end(): void
}

/**
 * Installs a Debian 13 into a folder and boots it in namespaces of its own, but for the network, which is this machine's: so
 * ports that it listens on must be free here. Needs root, debootstrap and systemd-nspawn. `closers` end it and take it away.
 */
export async function bootMachine(name: string, closers: Closers): Promise<Machine> {
  const folder = await makeDataFolder('debian')
  const root = join(folder, 'root')
  // What is mounted below it belongs to the machine, and is gone with it.
  closers.push(() => runFile('rm', ['-rf', '--one-file-system', folder]))
  const wanted = ['--variant=minbase', '--include=systemd,systemd-sysv,dbus,ca-certificates']
  const made = runFile('unshare', [...inNamespaces, 'debootstrap', ...wanted, 'trixie', root, mirror], {
    maxBuffer: 2 ** 26,
  })
  closers.push(() => endProcess(made.child, 'SIGKILL'))
  await made
  await appendFile(join(root, 'etc/hosts'), `127.0.0.1 localhost ${name}\n`)

  const place = ['-D', root, '-M', 'by-the-docs', '--register=no', '--keep-unit', '--boot', '--console=pipe']
  const child = spawn('systemd-nspawn', place, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000)
    })
  }
  closers.push(() => endProcess(child, 'SIGKILL'))
  const leader = await findLeader(child, () => said)
  closers.push(() => pullPlug(child, leader))
  const openShell = () => startShell(leader)
  const isUp = 'until systemctl is-active --quiet multi-user.target; do sleep 0.2; done'
  const shell = openShell()
  await Promise.race([
    shell.paste(isUp),
    sleep(bootsWithinMs, undefined, { ref: false }).then(() => {
      throw new Error(`The machine did not boot: ${said}`)
    }),
  ])
  shell.end()
  return { root, openShell }
}

/** Nobody misses what a thrown away machine would have done to shut down, for which a run that ends has no time. */
async function pullPlug(child: ChildProcess, leader: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  process.kill(leader, 'SIGKILL')
  await Promise.race([gone, sleep(goneWithinMs, undefined, { ref: false })])
}

/** The process that is the first one in there. */
async function findLeader(child: ChildProcess, said: () => string): Promise<number> {
  const list = `/proc/${child.pid}/task/${child.pid}/children`
  const giveUpAt = performance.now() + bootsWithinMs
  while (performance.now() < giveUpAt && child.exitCode === null) {
    const [first] = (await readFile(list, 'utf8').catch(() => '')).trim().split(' ')
    if (first) return Number(first)
    await sleep(looksEveryMs)
  }
  throw new Error(`The machine did not boot: ${said()}`)
}

function startShell(leader: number): MachineShell {
  const enter = ['--target', String(leader), '--mount', '--uts', '--ipc', '--pid', '--root', '--wdns=/root']
  const environment = [
    '-i',
    'HOME=/root',
    'TERM=dumb',
    'DEBIAN_FRONTEND=noninteractive',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]
  const child = spawn('nsenter', [...enter, 'env', ...environment, 'bash', '-eo', 'pipefail'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      for (const listener of listeners) listener()
    })
  }
  // A shell that ended reads no more.
  child.stdin.on('error', () => {})
  let pasted = 0
  return {
    paste(lines) {
      const mark = `pasted-${++pasted}`
      said = ''
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!said.includes(`${mark}\n`)) return
          stop()
          resolve(said.replace(`${mark}\n`, ''))
        }
        const fail = () => {
          stop()
          reject(new Error(`The shell ended: ${said.trim().split('\n').slice(-15).join('\n')}`))
        }
        const stop = () => {
          listeners.delete(look)
          child.off('close', fail)
        }
        listeners.add(look)
        child.once('close', fail)
        child.stdin.write(`${lines}\necho ${mark}\n`)
      })
    },
    end: () => void child.stdin.end(),
  }
}
