import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { root as checkout } from '../../scripts/run.mjs'
import type { DatabaseServer } from '../database-server.ts'
import { makeReadOnly, runProgram } from './clean-root.ts'
import { type Image, imagePath } from './containerfile.ts'

/** What deploy/compose.yaml says of a service, as far as it is carried out here. */
interface Service {
  image: string
  build?: { target: string }
  user: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  tmpfs: string[]
  volumes?: string[]
  environment: Record<string, string>
  entrypoint?: string[]
  command?: string[]
  healthcheck?: { test: string[] }
}

/** How a program is started in the root of its service's image. */
export interface Launch {
  root: string
  port: number
  env: Record<string, string>
  program: readonly string[]
}

/** The services of deploy/compose.yaml, with what an engine would have at hand for them. */
export interface Compose {
  service(name: string): Service
  image(name: string): Image
  /** Mounts what these services may write into the root of their image, which can't be written otherwise from then on. */
  mount(names: readonly string[], more?: readonly string[]): void
  /** By the service's user, without any privilege, told what it is told there; `entrypoint` instead of its own. */
  launch(name: string, entrypoint?: readonly string[]): Launch
  /** From now on its services get the address of the database that was restored. */
  useRestored(): void
}

export const port = 3_000
/** Where the database listens that is restored. */
export const restoredPort = 5_432

/** `postgres` stands for the database of compose.yaml until it is lost. */
export function openCompose(images: ReadonlyMap<string, Image>, postgres: DatabaseServer, folder: string): Compose {
  const { services } = parseYaml(readFileSync(join(checkout, 'deploy/compose.yaml'), 'utf8')) as {
    services: Record<string, Service>
  }
  const given = new Map<string, string>()
  const service = (name: string): Service => {
    const found = services[name]
    if (!found) throw new Error(`compose.yaml has no service ${name}`)
    return found
  }
  const image = (name: string): Image => {
    const builder = Object.values(services).find((one) => one.image === service(name).image && one.build)
    const found = images.get(builder?.build?.target ?? '')
    if (!found) throw new Error(`no stage of the Containerfile was carried out for the service ${name}`)
    return found
  }
  const addresses = {
    DATABASE_URL: postgres.serverUrl,
    DATABASE_DIRECT_URL: postgres.url,
    BACKUP_DATABASE_URL: postgres.url,
  }
  let isRestored = false
  /** Every address that compose.yaml tells leads to its database. */
  const tell = ([name, text]: [string, string]): [string, string] => {
    const address = addresses[name as keyof typeof addresses]
    if (address === undefined) return [name, fillIn(String(text), given)]
    return [name, isRestored ? toPort(address, restoredPort) : address]
  }
  return {
    service,
    image,
    mount(names, more = []) {
      const [{ root } = image(names[0] ?? '')] = names.map(image)
      const wanted = names.map(service)
      const volumes = [...wanted.flatMap(({ volumes = [] }) => volumes), ...more]
      for (const volume of new Set(volumes)) mountVolume(root, volume, folder)
      // An engine gives every container memory that processes share.
      mkdirSync(join(root, 'dev/shm'), { recursive: true })
      for (const path of new Set(['/dev/shm', ...wanted.flatMap(({ tmpfs }) => tmpfs)]))
        runProgram('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, path))
      makeReadOnly(root)
    },
    launch(name, entrypoint) {
      const { user, environment, entrypoint: own } = service(name)
      const { root, workdir, env, entrypoint: ofImage } = image(name)
      const told = Object.fromEntries(Object.entries(environment).map(tell))
      return {
        root,
        port,
        env: { ...env, PATH: imagePath, ...told },
        program: [...unprivileged(workdir, user), ...(entrypoint ?? own ?? ofImage)],
      }
    },
    useRestored() {
      isRestored = true
    },
  }
}

const toPort = (address: string, port: number): string => {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}

function unprivileged(workdir: string, user: string): string[] {
  const [uid = '', gid = ''] = user.split(':')
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const nothing = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  return ['/usr/bin/env', `--chdir=${workdir}`, '/usr/bin/setpriv', ...ids, ...nothing, '--']
}

export const volumeFolder = (folder: string, name: string): string => join(folder, `volume-${name}`)

/** The user of the database's image, to whom its volume belongs. */
const databaseUser = 999

/** A named volume: an engine fills a new one with what the image has there, and with its owner. */
function mountVolume(root: string, volume: string, folder: string): void {
  const [, name = '', path = ''] = /^([\w-]+):(\/[\w/-]+)$/.exec(volume) ?? []
  if (name === '') throw new Error(`compose.yaml: this run does not know how to mount ${volume}`)
  const [kept, target] = [volumeFolder(folder, name), join(root, path)]
  if (name === 'database') {
    mkdirSync(kept)
    chownSync(kept, databaseUser, databaseUser)
  } else if (existsSync(target)) runProgram('cp', '-a', target, kept)
  else mkdirSync(kept)
  mkdirSync(target, { recursive: true })
  runProgram('mount', '--bind', kept, target)
}

/** Puts something in the place of each value that whoever composes has to give. */
const fillIn = (text: string, given: Map<string, string>): string =>
  text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => {
    const value = given.get(name) ?? { DOMAIN: 'shop.example', SECURITY_CONTACT: 'security@shop.example' }[name]
    const made = value ?? `${randomBytes(32).toString('hex')}${name === 'ADMIN_PASSWORD' ? '0a' : ''}`
    given.set(name, made)
    return made
  })
