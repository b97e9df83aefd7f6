import './node-version.mjs'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from './build.mjs'
import { installDependencies } from './install.mjs'
import { describeLicences, listShipped, readChanges, refuseLicences, toSbom } from './licences.mjs'
import {
  isForDevelopers,
  isTest,
  keepPlaces,
  nodeProgram,
  programFolder,
  programSources,
  releasedSources,
  unneededPackages,
} from './release-files.mjs'
import { capture, captureNpm, npm, program, Refusal, root, run } from './run.mjs'
import { memoryOptions, memorySettings } from './server.mjs'

const usage = 'Usage: npm run release [-- --out DIR] [--commit HASH]'
const megabyte = 1_000_000
const mostMegabytes = { packages: 170, all: 250 }

/** Reads the options of the command line. */
function readOptions() {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string' }, commit: { type: 'string' } } })
    return { out: resolve(values.out ?? join(root, 'release')), commit: values.commit }
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/**
 * The commit this tree is of: as told, or as git says, with `-changed` when files differ from it.
 * @param {string | undefined} told
 */
async function readCommit(told) {
  if (told) return told
  const head = await capture('git', ['rev-parse', 'HEAD'])
  if (head.code !== 0) throw new Refusal('This is no clone of the repository: say what it is with --commit HASH.')
  const changes = await capture('git', ['status', '--porcelain', '--untracked-files=no'])
  return `${head.output.trim()}${changes.output.trim() === '' ? '' : '-changed'}`
}

/**
 * Lets npm make the tree of production packages that the lock file names, of the server alone: the pages carry theirs.
 * @param {string} folder
 */
async function installProduction(folder) {
  for (const file of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...['contract', 'server', 'web'].map((name) => `${name}/package.json`),
  ]) {
    cpSync(root + file, join(folder, file))
  }
  const options = [
    '--omit=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--include-workspace-root',
    '--no-audit',
    '--no-fund',
  ]
  const workspaces = ['--workspace=@olmos/contract', '--workspace=@olmos/server']
  const code = await npm(['ci', `--prefix=${folder}`, ...workspaces, ...options], { cwd: folder, quiet: true })
  if (code !== 0) throw new Refusal('The production packages could not be installed; npm says above why.')
  for (const file of ['package-lock.json', '.npmrc', 'web', 'contract', 'node_modules/@olmos'])
    rmSync(join(folder, file), { recursive: true })
}

/**
 * Takes out of the packages whatever nothing of a release loads.
 * @param {string} packages
 */
function prunePackages(packages) {
  for (const name of unneededPackages) rmSync(join(packages, name), { recursive: true, force: true })
  for (const path of filesBelow(packages)) {
    if (isForDevelopers(relative(packages, path))) rmSync(path)
  }
  removeEmptyFolders(packages)
  // What npm notes here and in .bin names packages that are gone.
  for (const name of ['.package-lock.json', '.bin']) rmSync(join(packages, name), { recursive: true, force: true })
}

/**
 * Puts Node's program beside the launcher, out of its package with the headers, and takes the names of its inner functions
 * out, which only a debugger reads: a seventh of it.
 * @param {string} folder
 */
async function placeNode(folder) {
  const ofNode = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  mkdirSync(join(folder, 'bin'))
  renameSync(join(ofNode, 'bin/node'), join(folder, nodeProgram))
  rmSync(ofNode, { recursive: true })
  const { code, output } = await capture('strip', ['--strip-unneeded', join(folder, nodeProgram)])
  if (code !== 0) throw new Refusal(`A release needs strip (apt-get install binutils).\n${output}`)
}

/**
 * Writes which packages of others the release carries: for people with their licences, for machines as CycloneDX.
 * @param {string} folder
 * @param {string} version
 */
async function describePackages(folder, version) {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  const shipped = listShipped(lock, (path) => existsSync(root + path))
  const [complaint] = refuseLicences(shipped)
  if (complaint) throw new Refusal(complaint)
  const asked = await captureNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'])
  if (asked.code !== 0) throw new Refusal(`npm could not describe the packages (npm sbom).\n${asked.output}`)
  writeFileSync(join(folder, 'sbom.cdx.json'), toSbom(asked.output, shipped, version))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), describeLicences(shipped, root))
  console.log(
    `${String(shipped.length).padStart(7)}     packages of others, all with a licence that lets a release carry them`,
  )
}

/**
 * Writes the program that starts the store, in which Node's options are those of `npm start`.
 * @param {string} folder
 */
function writeLauncher(folder) {
  const options = memoryOptions.filter((option) => !option.startsWith('--import='))
  const settings = Object.entries(memorySettings).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`)
  const path = join(folder, 'bin/olmos')
  writeFileSync(
    path,
    `#!/bin/sh
# Runs the store, or one of its commands, with the Node that came along: bin/olmos serve, bin/olmos help.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
${settings.join('\n')}
exec "$root/${nodeProgram}" ${options.join(' ')} "$root/${programFolder}/cli.js" "$@"
`,
  )
  chmodSync(path, 0o755)
}

/**
 * Makes the server one program of a few files, because to find and read hundreds of sources takes Node a third of a start.
 * Packages stay what they are.
 * @param {string} folder
 */
async function bundleServer(folder) {
  // Where a release begins from a bare checkout, as in an image, it is only here that this is installed.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: root,
    input: programSources,
    platform: 'node',
    external: (id) => !/^(?:[./]|@olmos\/)/.test(id),
    plugins: [{ name: 'places', transform: (code, path) => keepPlaces(code, relative(root, path)) }],
  })
  await bundle.write({ dir: join(folder, programFolder), format: 'esm' })
}

/**
 * @param {string} folder
 * @returns {string[]} the paths of all files and links below it
 */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : path
  })
}

/** @param {string} folder */
function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
}

/** @param {string[]} paths */
const megabytesIn = (paths) => paths.reduce((bytes, path) => bytes + lstatSync(path).size, 0) / megabyte

/**
 * Prints how large each part is, and refuses a release that has grown too large.
 * @param {string} folder
 */
function saySizes(folder) {
  const files = filesBelow(folder)
  const sizeIn = (/** @type {string} */ part) =>
    megabytesIn(files.filter((path) => path === join(folder, part) || path.startsWith(`${join(folder, part)}/`)))
  const all = megabytesIn(files)
  const packages = sizeIn('node_modules')
  const node = sizeIn(nodeProgram)
  const rows = {
    'Node.js': node,
    packages,
    server: sizeIn(programFolder),
    migrations: sizeIn('server/migrations'),
    'pages for browsers': sizeIn('web/build/client'),
    'pages on the server': sizeIn('web/build/server'),
    all,
  }
  for (const [name, size] of Object.entries(rows)) console.log(`${size.toFixed(1).padStart(7)} MB  ${name}`)
  console.log(`${String(files.length).padStart(7)}     files`)
  if (node + packages > mostMegabytes.packages || all > mostMegabytes.all) {
    throw new Refusal(
      `A release may have ${mostMegabytes.packages} MB of Node and packages and ${mostMegabytes.all} MB in all: find out what grew.`,
    )
  }
}

/**
 * Packs the folder, so that the same files give the same bytes, and writes its checksum beside it.
 * @param {string} out
 * @param {string} name
 */
async function pack(out, name) {
  const archive = `${name}.tar.gz`
  const evenly = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--mode=u+rw,go+rX,go-w']
  const code = await run('tar', [...evenly, '--use-compress-program=gzip -9n', '-cf', archive, name], { cwd: out })
  if (code !== 0) throw new Refusal('The archive could not be written; tar says above why.')
  const digest = createHash('sha256')
    .update(readFileSync(join(out, archive)))
    .digest('hex')
  writeFileSync(join(out, `${archive}.sha256`), `${digest}  ${archive}\n`)
  console.log(
    `${megabytesIn([join(out, archive)])
      .toFixed(1)
      .padStart(7)} MB  ${join(out, archive)}`,
  )
}

/** Makes the archive that runs on a machine with neither npm nor a compiler nor the network. */
async function makeRelease() {
  if (process.platform !== 'linux') throw new Refusal('A release is made on Linux, for Linux.')
  const { out, commit: told } = readOptions()
  await installDependencies()
  await buildWeb()
  const commit = await readCommit(told)
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const changes = readChanges(readFileSync(`${root}CHANGELOG.md`, 'utf8'), version)
  const name = `olmos-${version}-linux-${process.arch}`
  const folder = join(out, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  console.log('Installing the production packages ...')
  await installProduction(folder)
  await placeNode(folder)
  prunePackages(join(folder, 'node_modules'))
  for (const source of releasedSources.filter((path) => existsSync(root + path))) {
    cpSync(root + source, join(folder, source), { recursive: true, filter: (path) => !isTest(path) })
  }
  writeFileSync(join(folder, 'commit.txt'), `${commit}\n`)
  await describePackages(folder, version)
  writeLauncher(folder)
  await bundleServer(folder)
  saySizes(folder)
  await pack(out, name)
  console.log(`\nWhat ${version} changes, as CHANGELOG.md in it says:\n\n${changes}`)
  return 0
}

await program(makeRelease)
