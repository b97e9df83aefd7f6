import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../scripts/run.mjs'
import type { Closers } from '../server/src/platform/process.ts'
import { makeDataFolder } from './process.ts'

const runFile = promisify(execFile)
const git = async (...args: string[]): Promise<string> =>
  (await runFile('git', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim()

/** Sources of an earlier commit, with the packages of this checkout. */
export interface OldCheckout {
  folder: string
  /** In short, as git says it. */
  commit: string
}

/**
 * Unpacks the release before: the commit that is named, else the newest tag of a version, else what this branch was before the
 * newest migration came to it. Throws an Error with one sentence when git does not have it. The folder is in `closers`.
 */
export async function unpackReleaseBefore(wanted: string | undefined, closers: Closers): Promise<OldCheckout> {
  const name = wanted ?? (await findReleaseBefore())
  const commit = await git('rev-parse', '--verify', '--short', `${name}^{commit}`).catch(() => {
    throw new Error(`git does not have ${name}: this run needs a clone with its history, or --from COMMIT.`)
  })
  const folder = await makeDataFolder('before')
  closers.push(() => rm(folder, { recursive: true, force: true }))
  await unpack(commit, folder)
  await borrowPackages(folder)
  return { folder, commit }
}

/** The first commit whose nodes start again on a database that a later one migrated; those before it refuse it, as they say. */
const firstThatRestarts = '1579132f'

async function findReleaseBefore(): Promise<string> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*').catch(() => '')
  if (tag !== '') return tag
  const newest = (await readdir(join(root, 'server/migrations'))).sort().at(-1)
  const path = `server/migrations/${newest}`
  // A store ran on the first parent of a merge; the others are branches.
  const added = await git('log', '-1', '--first-parent', '--format=%H', '--diff-filter=A', '--', path).catch(() => {
    throw new Error('This is no clone of the repository: say with --from COMMIT which release is before this one.')
  })
  // One that is not committed yet came after all that is.
  if (added === '') return 'HEAD'
  const knowsHow = await git('merge-base', '--is-ancestor', firstThatRestarts, `${added}^`).then(
    () => true,
    () => false,
  )
  return knowsHow ? `${added}^` : firstThatRestarts
}

async function unpack(commit: string, folder: string): Promise<void> {
  const archive = spawn('git', ['archive', commit, 'contract', 'server', 'web', 'scripts', 'proof', 'package.json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const tar = spawn('tar', ['-x', '-C', folder], { stdio: [archive.stdout, 'inherit', 'inherit'] })
  const ends = await Promise.all([once(archive, 'exit'), once(tar, 'exit')])
  if (ends.some(([code]) => code !== 0)) throw new Error(`The sources of ${commit} could not be unpacked.`)
}

/** Links to each package here, but for the workspaces, which are its own. Built pages are those of this checkout. */
async function borrowPackages(folder: string): Promise<void> {
  for (const place of ['node_modules', 'server/node_modules']) {
    await mkdir(join(folder, place), { recursive: true })
    const names = existsSync(join(root, place)) ? await readdir(join(root, place)) : []
    for (const name of names.filter((one) => one !== '@olmos' && one !== '.cache')) {
      await symlink(join(root, place, name), join(folder, place, name))
    }
  }
  await mkdir(join(folder, 'node_modules/@olmos'))
  for (const name of ['contract', 'server', 'web']) {
    await symlink(join(folder, name), join(folder, 'node_modules/@olmos', name))
  }
  if (existsSync(join(root, 'web/build'))) await symlink(join(root, 'web/build'), join(folder, 'web/build'))
}
