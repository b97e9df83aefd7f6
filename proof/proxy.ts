import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../scripts/find-program.mjs'
import { root } from '../scripts/run.mjs'
import { freePort } from '../server/src/platform/embedded/supervisor.ts'
import { endProcess, isAnswering } from './process.ts'

export const proxyNames = ['haproxy', 'caddy', 'nginx'] as const
export type ProxyName = (typeof proxyNames)[number]

/** A proxy in front of the nodes, with the lines of the file that is delivered for it. */
export interface Proxy {
  port: number
  /** Ends it; more often than once does nothing more. */
  stop(): Promise<void>
}

interface Place {
  port: number
  /** A port for what the file opens besides. */
  spare: number
  nodes: readonly [number, number]
  /** Has the settings, logs and caches of this proxy. */
  folder: string
}

interface Kind {
  places: readonly string[]
  /** Below deploy. */
  file: string
  /** Puts addresses, ports and paths of this run in the place of the file's own, and takes TLS and its users out. */
  localise(text: string, place: Place): string
  /** What stands around the file on a machine. */
  wrap?(path: string, place: Place): string
  args(path: string): string[]
  env?(place: Place): Record<string, string>
}

const openWithinMs = 15_000

const kinds: Record<ProxyName, Kind> = {
  haproxy: {
    places: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
    file: 'haproxy.cfg',
    localise: (text, { port, nodes }) =>
      replaceEach(text, [
        [/^ {2}user \w+\n {2}group \w+\n/m, ''],
        [/^ {2}bind :80\n/m, ''],
        [/^ {2}bind :443 ssl .*$/m, `  bind 127.0.0.1:${port}`],
        [/^ {2}http-request redirect scheme https .*\n/m, ''],
        [/server node-1 127\.0\.0\.1:3000/, `server node-1 127.0.0.1:${nodes[0]}`],
        [/server node-2 127\.0\.0\.1:3001/, `server node-2 127.0.0.1:${nodes[1]}`],
      ]),
    args: (path) => ['-db', '-f', path],
  },
  caddy: {
    places: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'],
    file: 'Caddyfile',
    // Its address for admins is the machine's, where another Caddy may run.
    localise: (text) => replaceEach(text, [[/^\{\n\thttp_port/m, '{\n\tadmin off\n\thttp_port']]),
    args: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
    env: ({ port, spare, nodes, folder }) => ({
      DOMAIN: `http://127.0.0.1:${port}`,
      HTTP_PORT: String(port),
      HTTPS_PORT: String(spare),
      NODES: nodes.map((node) => `127.0.0.1:${node}`).join(' '),
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    }),
  },
  nginx: {
    places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'],
    file: 'nginx.conf',
    localise: (text, { port, spare, nodes, folder }) =>
      replaceEach(text, [
        [/server 127\.0\.0\.1:3000/, `server 127.0.0.1:${nodes[0]}`],
        [/server 127\.0\.0\.1:3001/, `server 127.0.0.1:${nodes[1]}`],
        [/proxy_cache_path \/var\/cache\/nginx\/olmos/, `proxy_cache_path ${folder}/cache`],
        [/^ {2}listen 80;\n {2}listen \[::\]:80;$/m, `  listen 127.0.0.1:${spare};`],
        [/^ {2}listen 443 ssl http2;\n {2}listen \[::\]:443 ssl http2;$/m, `  listen 127.0.0.1:${port};`],
        [/^(?: {2}ssl_\w+ .*\n){3}/m, ''],
      ]),
    wrap: (path, { folder }) => `daemon off;
worker_processes auto;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 768; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${path};
}
`,
    args: (path) => ['-c', path, '-e', 'stderr'],
  },
}

/** A line that is not there would leave something else to be tried than what is delivered. */
function replaceEach(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((changed, [line, own]) => {
    if (!line.test(changed)) throw new Error(`The delivered file has nothing like ${line} any more.`)
    return changed.replace(line, () => own)
  }, text)
}

/**
 * Starts a proxy in front of two nodes; `folder` gets one of its own for it. Refuses with a sentence where its program is
 * missing and can't be installed.
 */
export async function openProxy(name: ProxyName, nodes: readonly [number, number], folder: string): Promise<Proxy> {
  const kind = kinds[name]
  const program = await findProgram(name, kind.places)
  const own = await mkdtemp(join(folder, `${name}-`))
  // Its workers run as another user when it is started as root.
  await chmod(own, 0o711)
  const place = { port: await freePort(), spare: await freePort(), nodes, folder: own }
  const delivered = join(own, kind.file)
  await writeFile(delivered, kind.localise(await readFile(join(root, 'deploy', kind.file), 'utf8'), place))
  let path = delivered
  if (kind.wrap) {
    path = join(own, 'whole.conf')
    await writeFile(path, kind.wrap(delivered, place))
  }
  const child = spawn(program, kind.args(path), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...kind.env?.(place) },
  })
  let words = ''
  child.stderr.on('data', (text) => {
    words = `${words}${text}`.slice(-2_000)
  })
  child.on('error', (error) => {
    words = String(error)
  })
  for (const deadline = Date.now() + openWithinMs; ; await sleep(100)) {
    if (await isAnswering(`http://127.0.0.1:${place.port}/api/health`)) break
    if (child.exitCode === null && Date.now() < deadline) continue
    await endProcess(child, 'SIGKILL')
    throw new Error(`${name} did not open: ${words.trim()}`)
  }
  return { port: place.port, stop: () => endProcess(child) }
}
