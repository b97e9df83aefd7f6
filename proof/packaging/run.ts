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
import { tryImage } from './try-image.ts'

const usage = `Usage: npm run packaging [-- --archive FILE] [--start-ms 2000] [--break NAME]
       npm run packaging -- image [--base FOLDER] [--break NAME]
Unpacks a release into a root that has nothing else, without network, and runs it there as nobody. Needs root, for that.
  image    carries out the lines of deploy/Containerfile in a Debian that debootstrap makes, or made in FOLDER, and starts the store
           that they made as deploy/compose.yaml does. Needs debootstrap, Debian's mirror and npm's registry.`

/** Read once more by the process in the namespaces, from the same command line. */
interface Options extends RunOptions {
  isImage: boolean
  base: string | undefined
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
    base: { type: 'string' },
    'start-ms': { type: 'string' },
    enclosed: { type: 'string' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (positionals.length > 1 || (positionals[0] ?? 'image') !== 'image')
    throw new Error(`There is no run ${positionals.join(' ')}.`)
  const planted = breaks[values.break ?? '']
  const isImage = positionals.length > 0 || planted?.line !== undefined
  if (isImage && planted?.missing !== undefined)
    throw new Error(`The break ${values.break} is not one of the run image.`)
  return {
    ...readRunOptions(values, breaks),
    isImage,
    base: values.base,
    archive: values.archive,
    startMs: wholeNumber('start-ms', values['start-ms'], 2_000, 600_000),
    enclosed: values.enclosed,
  }
}

const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Keeps the network with which it was called in a file, and leaves it. */
const enclose = `touch "$0/network" && mount --bind /proc/self/ns/net "$0/network" &&
exec unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"`

/** Runs this program again where there is no network but loopback, and where mounts and processes are its own. */
async function runEnclosed({ archive, isImage, listsBreaks }: Options): Promise<number> {
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
    const packed = archive || isImage ? resolve(archive ?? '') : await makeArchive(folder)
    const told = ['--archive', packed, '--enclosed', folder]
    const child = spawn('unshare', [...namespaces, 'sh', '-c', enclose, folder, ...again, ...told], {
      // A group of its own, so that a signal of the terminal reaches whatever runs in there once, by us.
      detached: true,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: folder },
    })
    const end = () => child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGTERM')
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
    const [code] = await once(child, 'exit')
    return code ?? 1
  } finally {
    // Whatever ran in the namespaces has ended with their first process, and the mounts below the folder with it.
    await rm(folder, { recursive: true })
  }
}

const command = {
  usage,
  breaks,
  readOptions,
  title: ({ isImage }: Options) =>
    isImage ? 'The lines of the Containerfile, carried out' : 'A release, unpacked where nothing else is',
  run: ({ isImage, archive = '', enclosed = '', ...options }: Options, closers: Closers) =>
    isImage
      ? tryImage({ ...options, folder: enclosed, network: join(enclosed, 'network') }, closers)
      : tryArchive({ ...options, archive, root: join(enclosed, 'root') }, closers),
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
