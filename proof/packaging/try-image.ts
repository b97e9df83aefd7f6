import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root as checkout } from '../../scripts/run.mjs'
import { installedFolder } from '../../server/src/platform/embedded/cluster.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { count, type Line } from '../verdict.ts'
import { plantLine } from './breaks.ts'
import { openRoot, runProgram } from './clean-root.ts'
import { type Builder, buildStage, type Image, imagePath, readContainerfile, type Stage } from './containerfile.ts'
import { tryCompose } from './try-compose.ts'

interface Trial {
  /** Where the roots are made. */
  folder: string
  /** A Debian that debootstrap made before. */
  base: string | undefined
  /** The namespace of a network that leads out: the lines run there, the store does not. */
  network: string
  break: string | undefined
}

const mirror = 'http://deb.debian.org/debian'
const mostWords = 1_500
/** What the store may add to its base image, which has 80 MB. */
const mostMegabytes = 200
/** Certificates that this machine's way out needs. */
const ownCertificates = process.env.NODE_EXTRA_CA_CERTS
const certificatesInside = '/run/certificates-of-the-machine.crt'

/** Puts into a plain Debian what a base image has beside it. An image that has none of Debian is not to be had here. */
const bases: Record<string, (root: string, version: string) => string> = {
  debian: (root, version) => describeDebian(root, version.split('.')[0] ?? ''),
  node(root, version) {
    const [wanted = ''] = version.split('-')
    const placed = execFileSync(process.execPath, ['--version'], { encoding: 'utf8' }).trim()
    if (placed !== `v${wanted}`) throw new Error(`the image has Node ${wanted}, and this run ${placed}`)
    const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
    cpSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'))
    cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
    if (ownCertificates) copyFileSync(ownCertificates, join(root, certificatesInside))
    return `${describeDebian(root, '13')}, Node ${placed} and an npm where the image has them`
  },
  postgres(root, version) {
    const [release = ''] = version.split('.')
    cpSync(installedFolder(), join(root, 'usr/lib/postgresql', release), { recursive: true, verbatimSymlinks: true })
    const said = runProgram(join(root, `usr/lib/postgresql/${release}/bin/postgres`), '--version').trim()
    if (!said.endsWith(` ${version.split('-')[0]}`))
      throw new Error(`the image has PostgreSQL ${version}, and this run ${said}`)
    return `${describeDebian(root, '13')}, PostgreSQL ${version.split('-')[0]} where the image has it`
  },
}

function describeDebian(root: string, wanted: string): string {
  const version = readFileSync(join(root, 'etc/debian_version'), 'utf8').trim()
  if (version.split('.')[0] !== wanted) throw new Error(`the image has Debian ${wanted}, and this run ${version}`)
  return `Debian ${version}`
}

/**
 * Carries out the lines of deploy/Containerfile in roots that debootstrap makes, and starts the store that they made as
 * deploy/compose.yaml does, without any network but loopback.
 */
export async function tryImage(trial: Trial, closers: Closers): Promise<Line[]> {
  const lines: Line[] = []
  const images = new Map<string, Image>()
  try {
    await buildImages(trial, images, lines)
  } catch (error) {
    const text = `lines of the Containerfile, after the stages ${[...images.keys()].join(', ') || '(none)'}`
    return [
      ...lines,
      { text, value: 'NOT CARRIED OUT', broken: [error instanceof Error ? error.message : String(error)] },
    ]
  }
  return [...lines, ...(await tryCompose(images, trial.folder, closers))]
}

async function buildImages(
  { folder, base, network, break: planted }: Trial,
  images: Map<string, Image>,
  lines: Line[],
) {
  const stages = readContainerfile(plantLine(planted, readFileSync(join(checkout, 'deploy/Containerfile'), 'utf8')))
  const inNetwork = ['nsenter', `--net=${network}`]
  const run: Builder['run'] = (command, env) => runToEnd([...inNetwork, ...command], env)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
  const builder: Builder = {
    context: checkout,
    buildArgs: { COMMIT: commit },
    images,
    run: (command, env) =>
      run(command, { ...env, ...(ownCertificates && { NODE_EXTRA_CA_CERTS: certificatesInside }) }),
  }
  const debian = base ?? join(folder, 'debian')
  if (base === undefined)
    await run(['debootstrap', '--variant=minbase', 'trixie', debian, mirror], { PATH: imagePath, LC_ALL: 'C' })
  for (const stage of stages) lines.push(await buildOne(stage, { debian, folder, builder, images }))
}

async function buildOne(
  stage: Stage,
  { debian, folder, builder, images }: { debian: string; folder: string; builder: Builder; images: Map<string, Image> },
): Promise<Line> {
  const [, name = '', version = ''] = /([\w-]+):([\w.-]+)$/.exec(stage.image) ?? []
  const text = `stage ${stage.name}, from ${name}:${version}`
  const prepare = bases[name]
  if (!prepare) return { text, value: 'read, not carried out: its base is no Debian' }
  const root = join(folder, stage.name)
  runProgram('cp', '-a', debian, root)
  const has = prepare(root, version)
  openRoot(root)
  // As an engine does it for every container.
  for (const file of ['etc/resolv.conf', 'etc/hosts']) copyFileSync(`/${file}`, join(root, file))
  const [before, began] = [measure(root), performance.now()]
  images.set(stage.name, await buildStage(stage, root, builder))
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const added = measure(root) - before
  return {
    text,
    value: `${count(stage.instructions.length)} lines in ${seconds} s added ${count(added)} MB to ${has}`,
    broken: stage.name === 'store' && added > mostMegabytes ? [`more than ${mostMegabytes} MB`] : [],
  }
}

/** What a root takes on the disk, in MB, without what is mounted below it. */
const measure = (root: string): number =>
  Math.round(Number.parseInt(runProgram('du', '--summarize', '--one-file-system', '--block-size=1', root), 10) / 1e6)

async function runToEnd([program = '', ...args]: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(program, args, { env: { PATH: imagePath, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-mostWords)
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`it ended with ${code}: ${said.trim()}`)
}
