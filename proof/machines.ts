import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Closers } from '../server/src/platform/process.ts'

/** A computer as far as a run needs one: an address of its own, and processes that share nothing but the disk with others. */
export interface Machine {
  name: string
  address: string
  /**
   * Starts a program as the user postgres, and again when it ends by itself, as systemd does. Its output goes to a file of
   * its name in `folder`.
   */
  start(program: string, args: readonly string[], options: { folder: string; env?: Record<string, string> }): void
  /** Sends a signal to every process on it. What is killed stays away until it is started. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Drops, without a word, whatever it and everybody else send each other. */
  cutOff(): Promise<void>
  /** Drops, without a word, what it and the other machines send each other; the run itself still reaches it. */
  sever(): Promise<void>
  /** Undoes `cutOff` and `sever`. */
  reconnect(): Promise<void>
}

const run = promisify(execFile)
const ip = (...args: string[]) => run('ip', args)
const restartMs = 1_000
const nowhere = '02:00:00:00:00:99'

/**
 * Makes machines out of Linux's network namespaces, joined by a bridge on which this process has an address too. It needs
 * root. Whatever it makes is in `closers` first; what a killed run left behind is removed.
 */
export async function openMachines(count: number, closers: Closers): Promise<Machine[]> {
  await removeLeftovers()
  let isOver = false
  const bridge = `olmos-${process.pid}`
  // These addresses are for tests of networks (RFC 2544), so they lead nowhere else.
  const network = `198.18.${process.pid % 256}`
  const plans = Array.from({ length: count }, (_, index) => ({
    name: `db${index + 1}`,
    space: `${bridge}-${index + 1}`,
    cable: `o${process.pid}-${index + 1}`,
    address: `${network}.${index + 11}`,
  }))
  closers.push(async () => {
    isOver = true
    await Promise.all(plans.map(({ space }) => removeSpace(space)))
    await ip('link', 'del', bridge).catch(() => {})
  })
  await ip('link', 'add', bridge, 'type', 'bridge')
  await ip('addr', 'add', `${network}.254/24`, 'dev', bridge)
  await ip('link', 'set', bridge, 'up')
  for (const { space, cable, address } of plans) {
    await ip('netns', 'add', space)
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    await ip('link', 'set', cable, 'master', bridge, 'up')
    await ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) await ip('-n', space, 'link', 'set', device, 'up')
  }

  return plans.map(({ name, space, cable, address }) => {
    const others = plans.filter((plan) => plan.space !== space)
    const forEachPair = async (change: (from: string, to: string) => Promise<unknown>) => {
      for (const other of others) {
        await change(space, other.address)
        await change(other.space, address)
      }
    }
    let isOn = false
    return {
      name,
      address,
      start(program, args, { folder, env = {} }) {
        isOn = true
        const inside = ['netns', 'exec', space, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
        const launch = () => {
          if (isOver || !isOn) return
          const log = openSync(join(folder, `${program}.log`), 'a')
          const child = spawn('ip', [...inside, program, ...args], {
            cwd: folder,
            env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: folder, ...env },
            stdio: ['ignore', log, log],
          })
          closeSync(log)
          child.on('error', () => {})
          child.once('exit', () => setTimeout(launch, restartMs))
        }
        launch()
      },
      signal(signal) {
        if (signal === 'SIGKILL') isOn = false
        return signalAll(space, signal)
      },
      cutOff: async () => {
        await ip('link', 'set', cable, 'nomaster')
      },
      sever: () =>
        forEachPair((from, to) =>
          ip('-n', from, 'neigh', 'replace', to, 'lladdr', nowhere, 'dev', 'eth0', 'nud', 'permanent'),
        ),
      reconnect: async () => {
        await ip('link', 'set', cable, 'master', bridge)
        await forEachPair((from, to) => ip('-n', from, 'neigh', 'del', to, 'dev', 'eth0').catch(() => {}))
      },
    }
  })
}

async function signalAll(space: string, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  // Twice: a process may have forked while the first of them got it.
  for (let turn = 0; turn < 2; turn++) {
    const { stdout } = await ip('netns', 'pids', space)
    for (const pid of stdout.split('\n').filter(Boolean).map(Number)) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

async function removeSpace(space: string): Promise<void> {
  await signalAll(space, 'SIGKILL').catch(() => {})
  await ip('netns', 'del', space).catch(() => {})
}

async function removeLeftovers(): Promise<void> {
  const { stdout } = await ip('netns', 'list')
  const left = [...stdout.matchAll(/^(olmos-(\d+))-\d+/gm)].filter(([, , pid]) => !isAlive(Number(pid)))
  for (const [space] of left) await removeSpace(space)
  for (const bridge of new Set(left.map(([, name]) => name as string))) await ip('link', 'del', bridge).catch(() => {})
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
