import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAnswering } from '../process.ts'
import { place } from './clean-root.ts'

const openWithinMs = 60_000
const everyMs = 10
/** What the kernel counts a process's time in, on every Linux that runs Node. */
const ticksPerSecond = 100

/** The user that owns nothing. */
const nobody = 65_534

interface Wanted {
  root: string
  port: number
  /** The whole environment: nothing of this process's own is handed down. */
  env: Record<string, string>
  /** As the owner of its files, who could write them, instead of as nobody. */
  asOwner?: boolean
  /** What is called in the root instead of the archive's launcher, by whom it says itself. */
  program?: readonly string[]
}

/** A store that runs from an unpacked archive in a clean root. */
interface PackedStore {
  pid: number
  /** From its launch to the first success of /api/ready; undefined when it did not come. */
  readyMs: number | undefined
  /** What the processor worked until then. */
  cpuSeconds: number
  output(): string
  /** SIGTERM; resolves to the exit code, and how long it took. */
  end(): Promise<{ code: number | null; ms: number }>
}

/** Runs one of the archive's commands in the root. */
function launch({ root, port, env, asOwner = false, program }: Wanted, args: readonly string[]): ChildProcess {
  const user = asOwner ? 0 : nobody
  const launcher = [`--userspec=${user}:${user}`, '--groups=', root, `${place}/bin/olmos`]
  return spawn('/usr/sbin/chroot', [...(program ? [root, ...program] : launcher), ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return () => output
}

/** Starts a command that goes on until it is ended. */
export function startPackedCommand(
  wanted: Wanted,
  args: readonly string[],
): Pick<PackedStore, 'output' | 'end'> & { child: ChildProcess } {
  const child = launch(wanted, args)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    output: collect(child),
    async end() {
      const asked = performance.now()
      child.kill('SIGTERM')
      return { code: await exited, ms: performance.now() - asked }
    },
  }
}

/** Starts the store and waits until it is ready, or has ended. */
export async function startPackedStore(wanted: Wanted, args: readonly string[] = ['serve']): Promise<PackedStore> {
  const began = performance.now()
  const { child, output, end } = startPackedCommand(wanted, args)
  const readyMs = await untilReady(child, wanted.port, began)
  return {
    pid: child.pid ?? 0,
    readyMs,
    cpuSeconds: readyMs === undefined ? 0 : readCpuSeconds(child.pid),
    output,
    end,
  }
}

async function untilReady(child: ChildProcess, port: number, began: number): Promise<number | undefined> {
  while (child.exitCode === null && child.signalCode === null && performance.now() - began < openWithinMs) {
    if (await isAnswering(`http://127.0.0.1:${port}/api/ready`)) return performance.now() - began
    await sleep(everyMs)
  }
  return undefined
}

function readCpuSeconds(pid: number | undefined): number {
  // The name of the program stands in brackets and may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Runs a command of the archive to its end. */
export async function runPackedCommand(
  wanted: Wanted,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = launch(wanted, args)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code: code as number, output: output() }
}
