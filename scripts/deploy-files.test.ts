import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { SERVER_LIMITS } from '../server/src/limits.ts'
import { endpoints } from '../server/test/endpoints.ts'
import { type Fields, type Files, pick, readManifests } from './helm-chart.ts'
import { nodeProgram, releasedSources } from './release-files.mjs'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const chart = 'deploy/helm/olmos'
/** A test may plant a fault in a copy of them. */
const files: Files = Object.fromEntries(
  globSync(
    [
      'deploy/{Containerfile,Caddyfile,*.*}',
      'deploy/systemd/*',
      'deploy/patroni/*',
      `${chart}/**/*.yaml`,
      'docs/deploy/*.md',
    ],
    {
      cwd: root,
    },
  ).map((path) => [path, read(path)]),
)

interface Container {
  where: string
  image: string
  user: unknown
  isReadOnly: boolean
  isHardened: boolean
  memory: unknown
  env: Fields
  /** What it calls, in words. */
  words: string[]
}

const { version } = JSON.parse(read('package.json')) as { version: string }
const settings = [...read('server/src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name as string)
const cli = read('server/src/cli.ts').split('const commands: Record<string, Command> = {')[1]?.split('\n}')[0] ?? ''
const commands = [...cli.matchAll(/^ {2}'?([a-z-]+)'?[:,]/gm)].map(([, name]) => name as string)
/** Names that others than the store read: Node, Caddy, and Kubernetes for the path of a volume. */
const foreignNames = ['TMPDIR', 'POD_NAME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME']

function readCompose(text: string): Container[] {
  const { services } = parseYaml(text) as { services: Record<string, Fields> }
  return Object.entries(services).map(([name, service]) => ({
    where: `compose ${name}`,
    image: String(service.image),
    user: service.user,
    isReadOnly: service.read_only === true,
    isHardened:
      JSON.stringify(service.cap_drop) === '["ALL"]' &&
      JSON.stringify(service.security_opt) === '["no-new-privileges:true"]',
    memory: service.mem_limit,
    env: (service.environment ?? {}) as Fields,
    words: [service.entrypoint, service.command].flat().filter(Boolean).map(String),
  }))
}

function readPods(manifests: Fields[]): Container[] {
  return manifests.flatMap(({ kind, spec }) => {
    const pod = (pick(spec, 'jobTemplate.spec.template.spec') ?? pick(spec, 'template.spec')) as Fields | undefined
    const containers = (pod?.containers ?? []) as Fields[]
    return containers.map((container) => ({
      where: `chart ${kind}`,
      image: String(container.image),
      user: pick(pod, 'securityContext.runAsNonRoot') === true ? pick(pod, 'securityContext.runAsUser') : undefined,
      isReadOnly: pick(container, 'securityContext.readOnlyRootFilesystem') === true,
      isHardened:
        pick(container, 'securityContext.allowPrivilegeEscalation') === false &&
        JSON.stringify(pick(container, 'securityContext.capabilities.drop')) === '["ALL"]',
      memory: pick(container, 'resources.limits.memory'),
      env: Object.fromEntries(((container.env ?? []) as Fields[]).map(({ name, value }) => [name, value])) as Fields,
      words: [container.command, container.args].flat().filter(Boolean).map(String),
    }))
  })
}

/** Which commands of Olmos these words call: `olmos backup`, or the only word where the image starts olmos itself. */
function readCalls({ where, image, words }: Container): string[] {
  if (!isOlmos(image)) return []
  const called = words.flatMap((word) => [...word.matchAll(/\bolmos ([a-z-]+)/g)].map(([, name]) => name as string))
  if (called.length > 0) return called
  return words.length === 0 ? [] : [words[0] ?? where]
}

/** Whether this image runs the store or one of its commands. */
const isOlmos = (image: string) => /(?:^|\/)olmos(?:-backup)?:/.test(image)
const isPinned = (image: string) => /:\d+\.\d+(?:\.\d+)?(?:-[a-z0-9.-]+)?$/.test(image)
const isSecret = (name: string) => /PASSWORD|_KEY$|TOKEN|DATABASE_(?:DIRECT_)?URL/.test(name)

function* complainAboutContainer(container: Container) {
  const { where, image, user, isReadOnly, isHardened, memory, env } = container
  if (!isPinned(image)) yield `${where}: ${image} is not pinned by a version`
  if (/(?:^|\/)olmos(?:-\w+)?:/.test(image) && !image.endsWith(`:${version}`))
    yield `${where}: ${image} is not this version`
  if (!/^[1-9]\d*(?::[1-9]\d*)?$/.test(String(user))) yield `${where}: runs as ${user}`
  if (!isReadOnly) yield `${where}: its root can be written`
  if (!isHardened) yield `${where}: it keeps privileges`
  if (!memory) yield `${where}: its memory has no limit`
  for (const call of readCalls(container)) {
    if (!commands.includes(call)) yield `${where}: olmos has no command ${call}`
  }
  for (const [name, value] of Object.entries(env)) {
    if (isOlmos(image) && ![...settings, ...foreignNames].includes(name)) yield `${where}: there is no setting ${name}`
    if (isSecret(name) && !/\$\{\w+:\?/.test(String(value))) yield `${where}: ${name} has a default`
  }
}

function* complainAboutContainerfile(text: string) {
  const froms = [...text.matchAll(/^FROM (\S+) AS (\w+)/gm)]
  for (const [, image = ''] of froms) if (!isPinned(image)) yield `Containerfile: ${image} is not pinned by a version`
  for (const stage of text.split(/^FROM /m).slice(1)) {
    const name = / AS (\w+)/.exec(stage)?.[1]
    if (name !== 'build' && !/^USER [1-9]\d*:[1-9]\d*$/m.test(stage)) yield `Containerfile: ${name} runs as root`
  }
  if (!text.includes(`/node:${read('.node-version').trim()}-`))
    yield 'Containerfile: it is not built by the Node of .node-version'
  if (froms.at(-1)?.[2] !== 'store') yield 'Containerfile: a build without a target does not make the store'
  if (!/^HEALTHCHECK .*\/api\/health/ms.test(text)) yield 'Containerfile: nothing looks after its health'
  for (const [, line = ''] of text.matchAll(/^ENV (.+)$/gm)) {
    for (const [, name = ''] of line.matchAll(/([A-Z_]+)=/g)) {
      if (![...settings, ...foreignNames].includes(name)) yield `Containerfile: there is no setting ${name}`
    }
  }
}

const neededInUnits = {
  User: /^(?!root$|0$).+/,
  NoNewPrivileges: /^yes$/,
  CapabilityBoundingSet: /^$/,
  ProtectSystem: /^strict$/,
  ProtectHome: /^yes$/,
  PrivateTmp: /^yes$/,
  SystemCallFilter: /@system-service/,
}

function* complainAboutUnit(path: string, text: string) {
  const odd = text.split('\n').find((line) => !/^(?:#.*|\[[A-Z]\w+\]|[A-Z]\w+=.*)?$/.test(line))
  if (odd) yield `${path}: ${odd} is no line of a unit`
  const readLines = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')
  if (!path.endsWith('.service')) return
  for (const [name, pattern] of Object.entries(neededInUnits)) {
    if (!readLines(name).some((value) => pattern.test(value))) yield `${path}: ${name} is not as it should be`
  }
  for (const line of readLines('ExecStart')) {
    const command = /^(?:\/bin\/sh -c ')?\/opt\/olmos\/bin\/olmos ([a-z-]+)/.exec(line)?.[1]
    if (!commands.includes(command ?? '')) yield `${path}: ${line} is no command of the archive`
  }
  for (const name of readLines('Environment').map((value) => value.split('=')[0] ?? '')) {
    if (![...settings, ...foreignNames].includes(name)) yield `${path}: there is no setting ${name}`
    if (isSecret(name)) yield `${path}: ${name} has a default`
  }
}

const ofTheArchive = ['bin/olmos', nodeProgram]

/** Paths that the files name, which have to be there: below /opt/olmos in the archive, or beside the compose file. */
function* complainAboutPaths(all: Files) {
  for (const [path, text] of Object.entries(all)) {
    for (const [, inside = ''] of text.matchAll(/\/opt\/olmos\/([\w./-]*\w)/g)) {
      const isThere =
        ofTheArchive.includes(inside) ||
        (releasedSources.some((source) => inside === source || inside.startsWith(`${source}/`)) &&
          existsSync(join(root, inside)))
      if (!isThere) yield `${path}: the archive has no ${inside}`
    }
    for (const [, call = ''] of text.matchAll(/\/opt\/olmos\/bin\/olmos ([a-z-]+)/g)) {
      if (!commands.includes(call)) yield `${path}: olmos has no command ${call}`
    }
  }
  const compose = all['deploy/compose.yaml'] ?? ''
  for (const [, beside = ''] of compose.matchAll(/- \.\/([\w.-]+):/g)) {
    if (!existsSync(join(root, 'deploy', beside))) yield `compose: there is no deploy/${beside}`
  }
}

/** Settings in the texts to copy, and secrets that already have a value there. */
function* complainAboutExamples(all: Files) {
  const example = all['deploy/compose.env.example'] ?? ''
  for (const line of example.split('\n').filter((one) => /^\w+=/.test(one)))
    if (!line.endsWith('=')) yield `compose.env.example: ${line} has a default`
  const compose = all['deploy/compose.yaml'] ?? ''
  for (const [whole, name = '', rest = ''] of compose.matchAll(/\$\{(\w+)([^}]*)\}/g)) {
    if (!rest.startsWith(':?')) yield `compose: ${whole} is not required`
    if (!new RegExp(`^${name}=`, 'm').test(example)) yield `compose.env.example: ${name} is missing`
  }
  for (const [path, text] of Object.entries(all).filter(([name]) => name.endsWith('.sh'))) {
    for (const [, name = ''] of text.matchAll(/\$\{?(\w*(?:PASSWORD|KEY|SECRET|TOKEN))/g))
      yield `${path}: ${name} is an argument, which a list of processes shows`
  }
  for (const [path, text] of Object.entries(all).filter(([name]) => name.startsWith('docs/deploy/'))) {
    for (const [, call = ''] of text.matchAll(/(?:^|&& |-- |store-\d )olmos ([a-z-]+)/gm)) {
      if (!commands.includes(call)) yield `${path}: olmos has no command ${call}`
    }
    for (const [, block = ''] of text.matchAll(/```ini\n(.*?)```/gs)) {
      for (const [, name = ''] of block.matchAll(/^([A-Z_]+)=/gm)) {
        if (!settings.includes(name)) yield `${path}: there is no setting ${name}`
      }
    }
  }
}

/** What the store believes from a proxy, and a stranger may not say: the name of a request, and of which trace it is. */
const strangersHeaders = ['X-Request-Id', 'traceparent', 'tracestate']

const neededInProxies: Record<string, string[]> = {
  Caddyfile: [
    'health_uri /api/ready',
    'lb_try_duration ',
    ...strangersHeaders.map((header) => `header_up -${header}\n`),
  ],
  'nginx.conf': [
    ...strangersHeaders.map((header) => `proxy_set_header ${header} "";`),
    'X-Forwarded-For $remote_addr;',
    'zone olmos_nodes ',
    'proxy_next_upstream error timeout;',
    'proxy_buffering off;',
  ],
  'haproxy.cfg': [...read('docs/operations.md').matchAll(/^\| HAProxy \| (.+) \|$/gm)].flatMap(([, lines = '']) =>
    [...lines.matchAll(/`([^`]+)`/g)].map(([, line]) => line as string),
  ),
}

/** What docs/operations.md says of a proxy, each line of its rules for a cache included. */
function* complainAboutProxies(all: Files) {
  const [, cache = ''] = /```nginx\n(.*?)```/s.exec(read('docs/operations.md')) ?? []
  const cacheLines = cache.split('\n').map((line) => line.trim())
  const rules = cacheLines.filter((line) => /^(?:proxy_(?!pass)|map )/.test(line))
  if (rules.length < 6) yield 'docs/operations.md has no rules for a cache'
  for (const [name, lines] of Object.entries(neededInProxies)) {
    const text = (all[`deploy/${name}`] ?? '').replaceAll(/^\s*#.*/gm, '')
    for (const line of [...lines, ...(name === 'nginx.conf' ? rules : [])])
      if (!text.includes(line)) yield `${name}: it lacks ${line}`
    const believes = /proxy_add_x_forwarded_for|trusted_proxies/.exec(text)
    if (believes) yield `${name}: it believes callers (${believes[0]})`
    // nginx sends a location that sets a header none of those of its server.
    if (/location [^{]*\{[^}]*proxy_set_header/.test(text)) yield `${name}: a location loses the headers of its server`
    const [, key = ''] = /proxy_cache_key (.*);/.exec(text) ?? []
    const [, handedOn = ''] = /proxy_set_header Cookie (.*);/.exec(text) ?? []
    for (const [cookie] of handedOn.matchAll(/\$cookie_\w+/g))
      if (!key.includes(cookie)) yield `${name}: ${cookie} is not in the key of its cache`
  }
}

/** How long a node takes from the start of its program until it is ready, on the smallest VPS of the docs. */
const startSeconds = 2

/** One node is behind this proxy in docs/deploy/vps.md: what comes while it restarts has to wait for it. */
function* complainAboutRestarts(all: Files) {
  const readSeconds = (name: string) =>
    Number(new RegExp(`^\\s*${name} (\\d+)s$`, 'm').exec(all['deploy/Caddyfile'] ?? '')?.[1])
  const awaySeconds =
    SERVER_LIMITS.shutdownGraceSecondsMax +
    SERVER_LIMITS.dropReadsMs / 1_000 +
    startSeconds +
    readSeconds('health_interval')
  if (!(readSeconds('lb_try_duration') >= awaySeconds)) yield `Caddyfile: nothing waits ${awaySeconds} s for a restart`
}

const largestBody = Math.max(...endpoints.map(({ bodyLimit = 0 }) => bodyLimit))

/** Pictures and imports of codes are larger than what nginx takes by itself. */
function* complainAboutBodies(all: Files) {
  const annotations = pick(parseYaml(all[`${chart}/values.yaml`] ?? ''), 'ingress.annotations') as Fields
  const taken = {
    'nginx.conf': /client_max_body_size (\w+);/.exec(all['deploy/nginx.conf'] ?? '')?.[1],
    'chart Ingress': annotations['nginx.ingress.kubernetes.io/proxy-body-size'],
  }
  for (const [where, size] of Object.entries(taken)) {
    const megabytes = Number(/^(\d+)m$/.exec(String(size))?.[1])
    if (!(megabytes * 1024 * 1024 >= largestBody)) yield `${where}: a body of ${largestBody} bytes is cut`
  }
}

const machines = ['db1', 'db2', 'db3'].map((name, index) => ({ name, address: `10.0.0.1${index + 1}` }))

/** What keeps an acknowledged order through a failover, and what makes one short. */
function* complainAboutPatroni(all: Files) {
  const [etcd = '', haproxy = '', patroni = ''] = ['etcd.env', 'haproxy.cfg', 'patroni.yml'].map(
    (name) => all[`deploy/patroni/${name}`],
  )
  const settings = parseYaml(patroni) as Fields
  const dcs = pick(settings, 'bootstrap.dcs') as Record<string, unknown>
  if (dcs.synchronous_mode !== true || dcs.synchronous_mode_strict !== true)
    yield 'patroni.yml: an order may be acknowledged that no replica has'
  if (dcs.synchronous_node_count !== machines.length - 1)
    yield 'patroni.yml: a replica may be ahead of the next primary'
  if (Number(dcs.ttl) < Number(dcs.loop_wait) + 2 * Number(dcs.retry_timeout))
    yield 'patroni.yml: a primary that only waits for etcd loses its place'
  for (const role of ['superuser', 'replication'])
    if (pick(settings, `postgresql.authentication.${role}.password`) !== `${role.toUpperCase()}_PASSWORD`)
      yield `patroni.yml: the password of ${role} has a default`
  if (!/^ETCD_PRE_VOTE=true$/m.test(etcd)) yield 'etcd.env: a machine that comes back deposes the leader'
  if (!/^\s*option httpchk OPTIONS \/primary$/m.test(haproxy))
    yield 'patroni/haproxy.cfg: it does not ask who is primary'
  if (!/^\s*default-server .*on-marked-down shutdown-sessions/m.test(haproxy))
    yield 'patroni/haproxy.cfg: it keeps connections to a machine that is gone'
  for (const { name, address } of machines) {
    if (!etcd.includes(`${name}=http://${address}:2380`)) yield `etcd.env: ${name} is missing`
    if (!patroni.includes(`${address}:2379`)) yield `patroni.yml: ${name} is missing`
    if (!haproxy.includes(`server ${name} ${address}:5432`)) yield `patroni/haproxy.cfg: ${name} is missing`
  }
}

/** With backups alone, what was sold since the last night would be lost with the disk. */
function* complainAboutWal(all: Files, containers: readonly Container[]) {
  const keepers = containers.filter((container) => readCalls(container).includes('keep-wal'))
  for (const place of ['compose', 'chart'])
    if (!keepers.some(({ where }) => where.startsWith(place))) yield `${place}: nobody keeps the WAL`
  for (const { where, env } of containers.filter((container) => readCalls(container).includes('backup')))
    if (env.BACKUP_WAL !== 'on') yield `${where}: the look at a backup leaves the WAL out`
  for (const path of ['deploy/compose.yaml', 'docs/deploy/vps.md', 'docs/deploy/kubernetes.md'])
    if (!/max_slot_wal_keep_size ?=/.test(all[path] ?? '')) yield `${path}: the database keeps WAL without an end`
  if (!/^BACKUP_WAL=on$/m.test(all['docs/deploy/vps.md'] ?? '')) yield 'docs/deploy/vps.md: nobody keeps the WAL'
}

function findComplaints(all: Files): string[] {
  const compose = all['deploy/compose.yaml'] ?? ''
  const values = parseYaml(all[`${chart}/values.yaml`] ?? '')
  const containers = [...readCompose(compose), ...readPods(readManifests(all, chart, values))]
  const database = containers.find(({ where }) => where === 'compose database')?.image
  const units = Object.entries(all).filter(([path]) => path.startsWith('deploy/systemd/'))
  return [
    ...containers.flatMap((container) => [...complainAboutContainer(container)]),
    ...complainAboutContainerfile(all['deploy/Containerfile'] ?? ''),
    ...units.flatMap(([path, text]) => [...complainAboutUnit(path, text)]),
    ...complainAboutPaths(all),
    ...complainAboutExamples(all),
    ...complainAboutProxies(all),
    ...complainAboutRestarts(all),
    ...complainAboutBodies(all),
    ...complainAboutPatroni(all),
    ...complainAboutWal(all, containers),
    ...(all['deploy/Containerfile']?.includes(`FROM ${database} AS backup`)
      ? []
      : ['the image of backups and the database are of different releases']),
  ]
}

test('the files that put a store online are sound', () => {
  expect(settings.length).toBeGreaterThan(25)
  expect(commands).toEqual(expect.arrayContaining(['serve', 'migrate', 'backup', 'reconcile-sales']))
  expect(largestBody).toBeGreaterThan(4 * 1024 * 1024)
  expect(findComplaints(files)).toEqual([])
})

test('the chart makes what a store needs, also with every part switched the other way', () => {
  const values = parseYaml(files[`${chart}/values.yaml`] ?? '') as Fields
  const kinds = (changed: Fields) => readManifests(files, chart, { ...values, ...changed }).map(({ kind }) => kind)
  expect(kinds({}).toSorted()).toEqual(
    ['CronJob', 'Deployment', 'Deployment', 'Ingress', 'Job', 'PodDisruptionBudget', 'Service'].toSorted(),
  )
  const others = { ingress: { enabled: false }, backup: { enabled: false }, salesLog: { claim: 'sales' } }
  const withoutWal = { backup: { ...(values.backup as Fields), wal: { enabled: false } } }
  expect(kinds(withoutWal).filter((kind) => kind === 'Deployment')).toHaveLength(1)
  expect(kinds(others).toSorted()).toEqual(['Deployment', 'Job', 'PodDisruptionBudget', 'Service'])
  const pods = readPods(readManifests(files, chart, { ...values, ...others }))
  expect(pods.find(({ where }) => where === 'chart Deployment')?.env).toHaveProperty('SALES_LOG_DIR')
  const about = parseYaml(files[`${chart}/Chart.yaml`] ?? '') as Fields
  expect([about.version, about.appVersion]).toEqual([version, version])
})

describe('a fault is found', () => {
  const compose = 'deploy/compose.yaml'
  const roles = 'deploy/postgres-roles.sh'
  const unit = 'deploy/systemd/olmos.service'
  const deployment = `${chart}/templates/deployment.yaml`
  test.each([
    ['a moving tag in compose', compose, /postgres:[\d.]+-trixie/, 'postgres:latest', 'not pinned'],
    ['an image of another version', compose, 'image: olmos:0.1.0', 'image: olmos:0.0.9', 'is not this version'],
    ['root in compose', compose, "user: '10001:10001'", "user: '0:0'", 'runs as 0:0'],
    ['a root that can be written', compose, 'read_only: true', 'read_only: false', 'its root can be written'],
    ['privileges', compose, 'cap_drop: [ALL]', 'cap_drop: [CHOWN]', 'keeps privileges'],
    ['no limit of memory', compose, 'mem_limit: 768m', 'mem_reservation: 768m', 'memory has no limit'],
    ['a setting nobody reads', compose, "DEMO: 'off'", "DEMONSTRATION: 'off'", 'no setting DEMONSTRATION'],
    ['a command nobody has', compose, 'command: [migrate]', 'command: [migrations]', 'no command migrations'],
    ['a secret with a default', compose, /SECRET_KEY:\?[^}]+/, 'SECRET_KEY:-00', 'SECRET_KEY has a default'],
    ['a variable that is not required', compose, /DOMAIN:\?[^}]+/, 'DOMAIN', 'is not required'],
    ['a file that is not there', compose, './Caddyfile:', './Caddy.conf:', 'no deploy/Caddy.conf'],
    ['a database of another release', compose, 'postgres:18.4', 'postgres:17.7', 'different releases'],
    ['another Node', 'deploy/Containerfile', /node:24[\d.]+/, 'node:24.0.1', 'is not built by the Node'],
    ['a moving tag of the image', 'deploy/Containerfile', 'debian:13.2-slim', 'debian:stable-slim', 'not pinned'],
    ['root in the image', 'deploy/Containerfile', 'USER 10001:10001', 'USER root', 'store runs as root'],
    ['no check of health', 'deploy/Containerfile', '/api/health', '/', 'looks after its health'],
    ['a setting of the image nobody reads', 'deploy/Containerfile', ' HOST=', ' ADDRESS=', 'no setting ADDRESS'],
    ['a path the archive lacks', 'deploy/Containerfile', 'bin/node"', 'lib/node"', 'archive has no lib/node'],
    ['root in a unit', unit, 'User=olmos', 'User=root', 'User is not'],
    ['a unit that may write', unit, 'ProtectSystem=strict', 'ProtectSystem=no', 'ProtectSystem is not'],
    ['a unit with privileges', unit, 'NoNewPrivileges=yes', 'NoNewPrivileges=no', 'NoNewPrivileges is not'],
    ['a unit of unknown lines', unit, 'Restart=on-failure', 'Restart on-failure', 'is no line of a unit'],
    ['a unit that calls nothing', unit, 'olmos serve', 'olmos start', 'is no command of the archive'],
    ['a secret in a unit', unit, 'Environment=NODE_ENV', 'Environment=SECRET_KEY', 'SECRET_KEY has a default'],
    ['root in the chart', deployment, 'runAsUser: 10001', 'runAsUser: 0', 'chart Deployment: runs as 0'],
    ['a chart that may write', deployment, /readOnlyRoot.*/, '', 'chart Deployment: its root can be written'],
    ['privileges in the chart', deployment, 'drop: [ALL]', 'drop: []', 'chart Deployment: it keeps privileges'],
    ['a setting of the chart nobody reads', `${chart}/values.yaml`, '  DEMO:', '  DEMOS:', 'no setting DEMOS'],
    ['a secret in the chart', `${chart}/values.yaml`, '  DEMO:', '  SECRET_KEY:', 'SECRET_KEY has a default'],
    ['a moving tag in the chart', `${chart}/values.yaml`, 'tag: 0.1.0', 'tag: latest', 'not pinned'],
    ['a proxy that appends', 'deploy/nginx.conf', '$remote_addr', '$proxy_add_x_forwarded_for', 'believes callers'],
    ['a proxy that cuts imports', 'deploy/nginx.conf', 'size 20m', 'size 9m', 'nginx.conf: a body of'],
    ['an Ingress that cuts pictures', `${chart}/values.yaml`, 'size: 20m', 'size: 1m', 'chart Ingress: a body of'],
    ['a cache without a key', 'deploy/nginx.conf', /proxy_cache_key.*/, '', 'nginx.conf: it lacks proxy_cache_key'],
    [
      'a location without headers',
      'deploy/nginx.conf',
      'proxy_cache olmos;',
      'proxy_cache olmos; proxy_set_header A b;',
      'loses the headers of its server',
    ],
    ['a cookie in no key', 'deploy/nginx.conf', ' $cookie_theme ', ' ', '$cookie_theme is not in the key'],
    ['a proxy that asks no node', 'deploy/Caddyfile', '/api/ready', '/api/health', 'Caddyfile: it lacks health_uri'],
    ['strangers who name requests', 'deploy/nginx.conf', /.*X-Request-Id.*/, '', 'it lacks proxy_set_header X-Req'],
    ['strangers who trace', 'deploy/Caddyfile', /.*-traceparent/, '', 'Caddyfile: it lacks header_up -traceparent'],
    ['a stranger whose trace goes on', 'deploy/haproxy.cfg', /.*-header tracestate/, '', 'del-header tracestate'],
    ['a restart nobody waits for', 'deploy/Caddyfile', /lb_try_duration .*/, 'lb_try_duration 14s', 'waits 15 s'],
    ['a proxy without retries', 'deploy/haproxy.cfg', 'retry-on', '# retry-on', 'haproxy.cfg: it lacks retry-on'],
    [
      'callers who name themselves',
      'deploy/haproxy.cfg',
      /http-request del.*/,
      '',
      'haproxy.cfg: it lacks http-request',
    ],
    ['a primary that answers alone', 'deploy/patroni/patroni.yml', 'mode: true', 'mode: false', 'no replica has'],
    ['one replica of two', 'deploy/patroni/patroni.yml', 'count: 2', 'count: 1', 'ahead of the next primary'],
    ['no time to ask etcd', 'deploy/patroni/patroni.yml', 'ttl: 20', 'ttl: 10', 'loses its place'],
    ['a password to all', 'deploy/patroni/patroni.yml', 'REPLICATION_PASSWORD', 'secret', 'replication has a default'],
    ['a leader who is deposed', 'deploy/patroni/etcd.env', 'PRE_VOTE=true', 'PRE_VOTE=false', 'deposes the leader'],
    ['any machine for primary', 'deploy/patroni/haproxy.cfg', '/primary', '/health', 'does not ask who is primary'],
    ['connections to nobody', 'deploy/patroni/haproxy.cfg', 'shutdown-sessions', '', 'keeps connections'],
    ['a machine nobody asks', 'deploy/patroni/haproxy.cfg', '10.0.0.12', '10.0.0.11', 'db2 is missing'],
    ['a command of the docs', 'docs/deploy/vps.md', 'olmos doctor', 'olmos check', 'olmos has no command check'],
    ['a file of the docs', 'docs/deploy/vps.md', 'deploy/Caddyfile', 'deploy/Caddy', 'archive has no deploy/Caddy'],
    ['a setting of the docs', 'docs/deploy/kubernetes.md', 'METRICS_TOKEN=', 'TOKEN=', 'no setting TOKEN'],
    ['a store whose WAL nobody keeps', compose, 'command: [keep-wal]', 'command: [backup]', 'compose: nobody keeps'],
    ['a look without the WAL', compose, "BACKUP_WAL: 'on'", "BACKUP_WAL: 'off'", 'leaves the WAL out'],
    ['WAL without an end', compose, 'max_slot_wal_keep_size=2GB', 'max_wal_size=2GB', 'WAL without an end'],
    ['a chart that keeps no WAL', `${chart}/templates/wal.yaml`, 'keep-wal', 'version', 'chart: nobody keeps'],
    ['a page that keeps no WAL', 'docs/deploy/vps.md', 'BACKUP_WAL=on\n', '', 'vps.md: nobody keeps'],
    ['a value in the example', 'deploy/compose.env.example', 'SECRET_KEY=', 'SECRET_KEY=00', 'has a default'],
    ['a secret in a list of processes', roles, '<<', '--set=one="$OWNER_PASSWORD" <<', 'OWNER_PASSWORD is an argument'],
    ['a variable the example lacks', 'deploy/compose.env.example', 'DOMAIN=', '', 'DOMAIN is missing'],
  ] as const)('%s', (_name, path, from, to, complaint) => {
    const text = files[path] ?? ''
    const planted = text.replace(from, to)
    expect(planted).not.toBe(text)
    expect(findComplaints({ ...files, [path]: planted }).join('\n')).toContain(complaint)
  })
})
