import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root as repository } from '../../scripts/run.mjs'
import type { Closers } from '../../server/src/platform/process.ts'
import type { Break } from '../break.ts'
import { type RunOptions, readRunOptions, runCommand, runFlags } from '../command.ts'
import { makeArchive } from '../packaging/make-archive.ts'
import { makeDataFolder } from '../process.ts'
import { counted, type Line } from '../verdict.ts'
import { bootMachine, type MachineShell } from './machine.ts'

const usage = `Usage: npm run by-the-docs [-- --archive FILE] [--break NAME] [--transcript FILE]
Boots a bare Debian 13 and pastes docs/deploy/vps.md into it, block by block, then its part of docs/deploy/update.md, and at
last the units that keep backups where the store does not.
--transcript keeps what was pasted, when, and what it said. Needs root, Debian's network, the packages
debootstrap and systemd-container, and the ports 80, 443, 3000, 5432, 9090 and 9093.`

interface Options extends RunOptions {
  archive: string | undefined
  transcript: string | undefined
}

interface StepBreak extends Break {
  /** The heading whose blocks are left out. */
  without?: string
  /** Text of a block, and what is pasted in its place. */
  change?: readonly [text: string, wrong: string]
}

const breaks: Record<string, StepBreak> = {
  'lost-settings': { sentence: 'the settings are not written', without: '3. The settings' },
  'lost-span': { sentence: 'what was written after the backup is not replayed', change: [' --to latest', ''] },
}

const shop = 'shop.example'
const page = join(repository, 'docs/deploy/vps.md')
const updating = { page: join(repository, 'docs/deploy/update.md'), heading: 'On a small VPS' }

const authority = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

/** Prometheus asks once a minute, and waits one more before it says that something is down. */
const untilSo = (check: string): string => `for n in $(seq 300); do ${check} && break; [ $n -lt 300 ]; sleep 1; done`

/** A store catches up the backup of the night at its start. One that ended later would have what is written now. */
const untilBackedUp = untilSo(
  `runuser -u postgres -- psql --dbname olmos -Atc "SELECT is_done FROM job WHERE name = 'back-up'" | grep -q t`,
)

/** What was written is on its way to the kept WAL for some milliseconds. */
const untilKept = untilSo(
  `runuser -u postgres -- psql -Atc 'SELECT bool_and(flush_lsn >= pg_current_wal_flush_lsn()) FROM pg_stat_replication' | grep -q t`,
)

/** What can't be as it will be: nobody vouches for a name that is not in the world, so Caddy does, and the store believes it. */
const ownAuthority = (block: string): string =>
  block.includes('/etc/caddy/Caddyfile')
    ? `${block.replace('> /etc/caddy/Caddyfile', "| sed '0,/^{$/s//{\\n\\tlocal_certs/' > /etc/caddy/Caddyfile")}
${untilSo(`test -e ${authority}`)}
install -m 644 ${authority} /etc/olmos/authority.crt
chmod 711 /etc/olmos
echo NODE_EXTRA_CA_CERTS=/etc/olmos/authority.crt >> /etc/olmos/olmos.env
${untilSo(`curl --fail --silent --output /dev/null --cacert ${authority} https://${shop}/`)}`
    : block

/** The other way to take backups, which is for stores that leave BACKUP_DIR out: pasted when all else was seen. */
const isOtherWay = (block: string): boolean => block.includes('olmos-backup.timer')

const restore = '9. A restore'
const inDatabase = (statement: string): string => `runuser -u postgres -- psql --quiet --dbname olmos -c '${statement}'`

interface Step {
  heading: string
  blocks: string[]
}

/** What the page says to paste, below each of its headings. */
function readSteps(text: string): Step[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.slice(0, section.indexOf('\n')),
      blocks: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block),
    }))
    .filter(({ blocks }) => blocks.length > 0)
}

/** The version to update to is the same one under the name that the page gives it. */
async function renameArchive(archive: string, to: string): Promise<void> {
  const [now, next] = [basename(archive, '.tar.gz'), 'olmos-NEW-linux-x64']
  const script = `tar -xzf '${archive}' --transform 's,^${now},${next},' && tar -czf '${next}.tar.gz' '${next}' && rm -rf '${next}'
sha256sum '${next}.tar.gz' > '${next}.tar.gz.sha256'`
  const [code] = await once(spawn('sh', ['-ec', script], { cwd: to, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error('The archive to update to could not be packed.')
}

/** Takes everything away again however it ends: a process that ends may not have the time that a whole Debian needs. */
async function run(options: Options, closers: Closers): Promise<Line[]> {
  const known = closers.length
  try {
    return await pasteThePages(options, closers)
  } finally {
    for (const close of closers.splice(known).reverse()) await close()
  }
}

async function pasteThePages({ archive, break: planted, transcript }: Options, closers: Closers): Promise<Line[]> {
  const folder = await makeDataFolder('release')
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const packed = archive ?? (await makeArchive(folder))
  const machine = await bootMachine(shop, closers)
  const home = join(machine.root, 'root')
  for (const file of [packed, `${packed}.sha256`]) await copyFile(file, join(home, basename(file)))
  await renameArchive(packed, home)

  const shell = transcript ? await transcribe(machine.openShell(), transcript) : machine.openShell()
  const lines: Line[] = []
  const began = performance.now()
  const pasteAll = async ({ heading, blocks }: Step) => {
    const stepBegan = performance.now()
    try {
      for (const block of blocks) await shell.paste(ownAuthority(block))
    } catch (error) {
      console.error(await machine.openShell().paste('journalctl --lines 25 --no-pager --output cat').catch(String))
      lines.push(counted(heading, [(error as Error).message]))
      return false
    }
    lines.push({ text: heading, value: toSeconds(stepBegan) })
    console.log(`${heading}: ${toSeconds(stepBegan)}`)
    return true
  }
  const { without, change: [right, wrong] = ['', ''] } = breaks[planted ?? ''] ?? {}
  const written = [untilBackedUp, inDatabase('SET ROLE olmos; CREATE TABLE written_since ()'), untilKept]
  const steps = readSteps(await readFile(page, 'utf8'))
  const update = readSteps(await readFile(updating.page, 'utf8')).filter(({ heading }) => heading === updating.heading)
  for (const { heading, blocks } of [...steps, ...update]) {
    if (heading === without) continue
    const usual = blocks.filter((block) => !isOtherWay(block)).map((block) => block.replace(right, wrong))
    const pasted = heading === restore ? [...written, ...usual] : usual
    if (!(await pasteAll({ heading, blocks: pasted }))) return lines
  }
  lines.push({ text: 'from nothing to all of it', value: toSeconds(began) })
  lines.push(...(await look(shell, looks)))
  if (lines.some(({ broken = [] }) => broken.length > 0)) return lines
  const otherWay = steps.flatMap(({ blocks }) => blocks).filter(isOtherWay)
  if (await pasteAll({ heading: 'the units instead', blocks: otherWay }))
    lines.push(...(await look(shell, looksAtUnits)))
  shell.end()
  return lines
}

/** Keeps what is pasted in a file, with the moment, and what it said. */
async function transcribe(shell: MachineShell, file: string): Promise<MachineShell> {
  await writeFile(file, '')
  return {
    ...shell,
    async paste(lines) {
      const began = performance.now()
      await appendFile(file, `# ${new Date().toISOString()}\n${lines.trimEnd()}\n`)
      const said = await shell.paste(lines).catch(async (error: Error) => {
        await appendFile(file, `\n# failed: ${error.message}\n`)
        throw error
      })
      await appendFile(file, `\n# after ${toSeconds(began)} it had said:\n${said.trim().replaceAll(/^/gm, '#   ')}\n\n`)
      return said
    },
  }
}

const toSeconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`

type Look = [what: string, lines: string]

/** What a customer, the admin and whoever is to be woken would meet. */
const looks: Look[] = [
  ['the home page, over TLS', `curl --fail --silent --cacert ${authority} https://${shop}/ | grep -c '<title>'`],
  [
    'the first admin can log in',
    `PASSWORD=$(sed -n 's/^ADMIN_PASSWORD=//p' /etc/olmos/olmos.env)
curl --fail --silent --cacert ${authority} -H 'content-type: application/json' -d "{\\"nickname\\":\\"admin\\",\\"password\\":\\"$PASSWORD\\"}" https://${shop}/api/auth/login | grep -q token`,
  ],
  ['nothing that the doctor would have mended', 'olmos doctor'],
  ['a backup that was restored for a look', 'olmos backup --verify'],
  [
    'the restored database, with what was written after its backup',
    `${inDatabase('SHOW data_directory')} | grep -q /restored-\n${inDatabase('DROP TABLE written_since')}`,
  ],
  [
    'Prometheus reads it',
    untilSo(`curl -s 'http://127.0.0.1:9090/api/v1/query?query=up\\{job="olmos"\\}==1' | grep -q '"olmos"'`),
  ],
  [
    'the rules in force, and the tests that fire each of them',
    `promtool check rules /etc/prometheus/olmos.rules.yaml
(cd /opt/olmos/deploy/prometheus && cmp olmos.rules.yaml /etc/prometheus/olmos.rules.yaml && promtool test rules olmos.test.yaml)`,
  ],
  [
    'a store that is away is told to whom Alertmanager tells',
    `systemctl stop olmos\n${untilSo('curl -s http://127.0.0.1:9093/api/v2/alerts | grep -q OlmosDown')}\nsystemctl start olmos`,
  ],
]

/** What a machine shows whose units keep what its store kept before. */
const looksAtUnits: Look[] = [
  [
    'a backup by the unit, restored for a look',
    "journalctl -u olmos-backup --output cat | grep 'was restored: the invariants hold'",
  ],
  [
    'the timer waits for the night',
    "systemctl show --property NextElapseUSecRealtime --value olmos-backup.timer | grep -E '[0-9]{4}-'",
  ],
  [
    'the WAL is kept by the unit',
    untilSo("find /var/lib/olmos/backups/wal/kept.json -newermt '-20 seconds' | grep -q ."),
  ],
  [
    'and by nobody else',
    'systemctl is-active olmos-keep-wal && systemctl restart olmos-keep-wal && systemctl is-active olmos-keep-wal',
  ],
  ['nothing that the doctor would have mended then', 'olmos doctor'],
]

async function look(shell: MachineShell, wanted: readonly Look[]): Promise<Line[]> {
  const lines: Line[] = []
  for (const [text, pasted] of wanted) {
    const began = performance.now()
    const wrong = await shell.paste(pasted).then(
      () => [],
      (error: Error) => [error.message],
    )
    lines.push({ text, value: wrong.length > 0 ? 'no' : `yes, ${toSeconds(began)}`, broken: wrong })
    if (wrong.length > 0) break
  }
  return lines
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { ...runFlags, archive: { type: 'string' }, transcript: { type: 'string' } },
  })
  const transcript = values.transcript === undefined ? undefined : resolve(values.transcript)
  return { ...readRunOptions(values, breaks), archive: values.archive, transcript }
}

await runCommand<Options>({
  usage,
  breaks,
  readOptions,
  title: () => 'A store on a bare Debian, by docs/deploy/vps.md alone',
  run,
})
