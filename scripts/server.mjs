import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { nodeBinary, root } from './run.mjs'

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const lookAfterParentMs = 500

/**
 * Left to itself Node collects the first garbage at 256 MB and then lets it grow to a multiple of what is alive; under
 * load the server took 500 MB for 60. What is young is collected by one thread: on two busy cores it waited for helpers
 * longer than they helped.
 */
export const memoryOptions = [
  '--no-parallel-scavenge',
  '--max-semi-space-size=4',
  '--initial-old-space-size=48',
  '--heap-growing-percent=25',
  '--expose-gc',
  `--import=${new URL('./stripped-types.mjs', import.meta.url).href}`,
]

/** The C library keeps a heap for each of Node's threads, and none of them returns memory it once took. */
export const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * Runs the server until it ends and resolves to its exit code. It receives every signal that reaches this process; a
 * Ctrl-C also reaches it from the terminal, so it takes a second one calmly. Should this process be killed, the server
 * sees its channel close and ends.
 * @param {{ nodeOptions?: string[], entry?: string }} [options]
 * @returns {Promise<number>}
 */
export function runServer({ nodeOptions = [], entry = `${root}server/src/main.ts` } = {}) {
  const server = spawn(nodeBinary(), [...memoryOptions, ...nodeOptions, entry], {
    cwd: root,
    env: { ...memorySettings, ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const stop = () => void server.kill('SIGTERM')
  const forward = signals.map((signal) => ({
    signal,
    pass: () => void server.kill(signal === 'SIGINT' ? signal : 'SIGTERM'),
  }))
  for (const { signal, pass } of forward) process.on(signal, pass)
  const watch = watchNpm(stop)

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code, signal) => {
      for (const { signal, pass } of forward) process.off(signal, pass)
      clearInterval(watch)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/**
 * Nobody is told when npm is killed, and the store would stay open with nobody to close it.
 * @param {() => void} onDeath
 */
function watchNpm(onDeath) {
  if (!process.env.npm_lifecycle_event) return undefined
  const npm = process.ppid
  return setInterval(() => process.ppid !== npm && onDeath(), lookAfterParentMs)
}
