import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeProgram } from '../../scripts/release-files.mjs'

/** Where an archive is unpacked, as a machine sees it. */
export const place = '/opt/olmos'

const programs = ['/bin/sh', '/usr/bin/dirname', '/usr/bin/readlink']
const devices = ['/dev/null', '/dev/urandom']

export const runProgram = (name: string, ...args: string[]): string =>
  execFileSync(name, args, { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } })

/**
 * Makes a machine's root in this folder that has nothing but the unpacked archive, a shell with two programs that the
 * launcher calls, and the libraries that these and the archive's own binaries are linked to: no npm, no compiler, no Node of
 * the machine's own. The caller is in a mount namespace of its own, with which the mounts end.
 */
export function makeCleanRoot(archive: string, root: string): void {
  const unpacked = join(root, place)
  mkdirSync(unpacked, { recursive: true })
  runProgram('tar', '-xzf', archive, '-C', unpacked, '--strip-components=1', '--no-same-owner')
  const binaries = [`${unpacked}/${nodeProgram}`, ...globSync(`${unpacked}/node_modules/**/*.node`)]
  for (const path of programs) copyInto(root, path)
  for (const path of new Set([...programs, ...binaries].flatMap(listLibraries))) copyInto(root, path)

  openRoot(root)
}

/** Gives a root what the kernel has for each process, in the mount namespace of the caller. */
export function openRoot(root: string): void {
  runProgram('mount', '--bind', root, root)
  for (const path of devices) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    if (!existsSync(join(root, path))) writeFileSync(join(root, path), '')
    runProgram('mount', '--bind', path, join(root, path))
  }
  mkdirSync(join(root, 'proc'), { recursive: true })
  runProgram('mount', '--bind', '/proc', join(root, 'proc'))
}

/** From here on nobody can write anything below this root. */
export const makeReadOnly = (root: string): string => runProgram('mount', '-o', 'remount,bind,ro', root)

/** What a machine's linker would load for this program. */
function listLibraries(binary: string): string[] {
  const lines = runProgram('ldd', binary).split('\n')
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])
}

function copyInto(root: string, path: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  cpSync(realpathSync(path), join(root, path))
}

/** Each file of the unpacked archive with its size and times: what a start wrote shows in a later listing. */
export function listFiles(root: string): Map<string, string> {
  const folder = join(root, place)
  const paths = globSync('**/{*,.*}', { cwd: folder })
  return new Map(
    paths.map((path) => {
      const { size, mtimeMs, ctimeMs } = lstatSync(join(folder, path))
      return [path, `${size} ${mtimeMs} ${ctimeMs}`]
    }),
  )
}
