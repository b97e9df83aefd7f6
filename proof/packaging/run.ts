import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Closers } from '../../server/src/platform/process.ts'
import { type RunOptions, readRunOptions, runCommand, runFlags, wholeNumber } from '../command.ts'
import { makeDataFolder } from '../process.ts'
import { breaks } from './breaks.ts'
import { makeArchive } from './make-archive.ts'
import { tryArchive } from './try-archive.ts'

const usage = `Usage: npm run packaging [-- --archive FILE] [--start-ms 2000] [--break NAME]
Unpacks a release into a root that has nothing else, without network, and runs it there as nobody. Needs root, for that.`

/** Read once more by the process in the namespaces, from the same command line. */
interface Options extends RunOptions {
  archive: string | undefined
  /** Longest start that is still promised. */
  startMs: number
  /** Where the clean root is made; only the process in the namespaces is told. */
  enclosed: string | undefined
}

function readOptions(args: readonly string[]): Options {
  const options = {
    ...runFlags,
    archive: { type: 'string' },
    'start-ms': { type: 'string' },
    enclosed: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  return {
    ...readRunOptions(values, breaks),
    archive: values.archive,
    startMs: wholeNumber('start-ms', values['start-ms'], 2_000, 600_000),
    enclosed: values.enclosed,
  }
}

/** Runs this program again where there is no network but loopback, and where mounts are its own. */
async function runEnclosed({ archive, listsBreaks }: Options): Promise<number> {
  const again = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  if (listsBreaks) {
    console.log(Object.keys(breaks).join('\n'))
    return 0
  }
  if (process.getuid?.() !== 0)
    throw new Error('This run makes namespaces and a root of its own, and so needs to be run as root.')
  const folder = await makeDataFolder('packaging')
  try {
    // Made before the network is gone.
    const packed = archive ? resolve(archive) : await makeArchive(folder)
    const script = 'ip link set lo up && exec "$@"'
    const told = ['--archive', packed, '--enclosed', folder]
    const child = spawn('unshare', ['--net', '--mount', 'sh', '-c', script, 'sh', ...again, ...told], {
      stdio: 'inherit',
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
    const [code] = await once(child, 'exit')
    return code ?? 1
  } finally {
    // The mounts below it were the other process's, and ended with it.
    await rm(folder, { recursive: true })
  }
}

const command = {
  usage,
  breaks,
  readOptions,
  title: () => 'A release, unpacked where nothing else is',
  run: ({ archive = '', enclosed = '', ...options }: Options, closers: Closers) =>
    tryArchive({ ...options, archive, root: join(enclosed, 'root') }, closers),
}

if (process.argv.includes('--enclosed')) await runCommand<Options>(command)
else {
  try {
    process.exitCode = await runEnclosed(readOptions(process.argv.slice(2)))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exitCode = 2
  }
}
