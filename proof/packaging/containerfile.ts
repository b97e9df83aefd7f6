import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

/** One instruction, with its continued lines joined. */
interface Instruction {
  name: string
  text: string
  line: number
}

export interface Stage {
  name: string
  /** What it begins from. */
  image: string
  instructions: Instruction[]
}

/** What the lines of a stage have made. */
export interface Image {
  root: string
  env: Record<string, string>
  workdir: string
  user: string
  entrypoint: readonly string[]
  command: readonly string[]
  health: readonly string[]
  stopSignal: string
}

export interface Builder {
  /** The folder that COPY copies from. */
  context: string
  buildArgs: Record<string, string>
  /** The stages that were built before. */
  images: Map<string, Image>
  /** Runs a program to its end, where there is a network; throws an Error with its last words unless it ends with 0. */
  run(command: readonly string[], env: Record<string, string>): Promise<void>
}

type Build = Image & { args: Record<string, string>; builder: Builder }
type CarryOut = (build: Build, text: string) => void | Promise<void>

/** What an engine gives to each process of an image. */
export const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The instructions that can be carried out. Whatever else a file has, and each form of them that is not here, is refused. */
const known: Record<string, CarryOut> = {
  ARG(build, text) {
    const name = match(text, /^(\w+)$/, 'a name alone')[1] as string
    const told = build.builder.buildArgs[name]
    if (told !== undefined) build.args[name] = told
  },
  ENV(build, text) {
    for (const pair of text.split(/\s+/)) {
      const [, name = '', value = ''] = match(pair, /^(\w+)=([^"'$\\]*)$/, 'NAME=VALUE without quotes or variables')
      build.env[name] = value
    }
  },
  WORKDIR(build, text) {
    build.workdir = resolve(build.workdir, match(text, /^([\w./-]+)$/, 'a path')[1] as string)
    mkdirSync(join(build.root, build.workdir), { recursive: true })
  },
  RUN({ root, workdir, user, env, args, builder }, text) {
    match(text, /^(?!--|\[)(?!.*<<)/, 'one line of a shell')
    const command = ['chroot', `--userspec=${user}`, root, 'env', `--chdir=${workdir}`, 'sh', '-c', text]
    return builder.run(command, { PATH: imagePath, HOME: '/root', ...args, ...env })
  },
  COPY({ root, workdir, builder }, text) {
    const [, stage, from = '', to = ''] = match(
      text,
      /^(?:--from=([\w-]+) )?([\w./-]+) ([\w./-]+)$/,
      'COPY [--from=STAGE] FROM TO',
    )
    const image = stage === undefined ? undefined : builder.images.get(stage)
    if (stage !== undefined && !image) throw new Error(`there is no stage ${stage} before it`)
    const top = image?.root ?? builder.context
    const source = join(top, from)
    const target = join(root, resolve(workdir, to))
    const isLeft = image ? () => false : readIgnored(builder.context)
    if (!existsSync(source) || isLeft(relative(top, source)))
      throw new Error(`there is no ${from} in ${stage ?? 'the context'}`)
    const isInside = !statSync(source).isDirectory() && (to.endsWith('/') || existsSync(target))
    cpSync(source, isInside ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (path) => !isLeft(relative(top, path)),
    })
  },
  USER(build, text) {
    build.user = match(text, /^(\d+:\d+)$/, 'two numbers')[1] as string
  },
  EXPOSE: (_, text) => void match(text, /^\d+$/, 'one port'),
  STOPSIGNAL(build, text) {
    build.stopSignal = match(text, /^(SIG[A-Z]+)$/, 'a name')[1] as string
  },
  HEALTHCHECK(build, text) {
    build.health = readWords(match(text, /^(?:--[\w-]+=\w+ +)*CMD (.*)$/, 'a CMD')[1] as string)
  },
  ENTRYPOINT(build, text) {
    build.entrypoint = readWords(text)
  },
  CMD(build, text) {
    build.command = readWords(text)
  },
}

/** Throws an Error that names the line that can't be carried out, in whichever stage. */
export function readContainerfile(text: string): Stage[] {
  const stages: Stage[] = []
  let [joined, began] = ['', 0]
  for (const [index, row] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(row)) continue
    if (joined === '') began = index + 1
    joined += row.trim().replace(/\\$/, '')
    if (row.trimEnd().endsWith('\\')) continue
    const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(joined) ?? []
    joined = ''
    if (name === 'FROM') {
      const [, image = '', stage = ''] = at(began, 'FROM', () =>
        match(rest, /^(\S+) AS ([\w-]+)$/, 'FROM IMAGE AS STAGE'),
      )
      stages.push({ name: stage, image, instructions: [] })
      continue
    }
    const stage = stages.at(-1)
    if (!(name in known) || !stage) throw new Error(`line ${began}: this run does not know how to carry out ${name}`)
    stage.instructions.push({ name, text: rest, line: began })
  }
  return stages
}

/** Carries the lines of a stage out, one after the other, in a root that holds what its base image has. */
export async function buildStage(stage: Stage, root: string, builder: Builder): Promise<Image> {
  const build: Build = {
    root,
    env: {},
    args: {},
    workdir: '/',
    user: '0:0',
    entrypoint: [],
    command: [],
    health: [],
    stopSignal: 'SIGTERM',
    builder,
  }
  for (const { name, text, line } of stage.instructions) {
    try {
      await known[name]?.(build, text)
    } catch (error) {
      throw new Error(`line ${line}, ${name} in ${stage.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return build
}

function at<T>(line: number, name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`line ${line}, ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

function match(text: string, pattern: RegExp, wanted: string): RegExpExecArray {
  const found = pattern.exec(text)
  if (found) return found
  throw new Error(`this run carries out ${wanted} only, not ${text.slice(0, 80)}`)
}

function readWords(text: string): string[] {
  const words: unknown = JSON.parse(match(text, /^\[.*\]$/, 'words in brackets')[0])
  return words as string[]
}

/** Says of a path of the context whether .dockerignore leaves it out. */
function readIgnored(context: string): (path: string) => boolean {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n')
  const patterns = lines
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => match(line.trim(), /^[\w.*/-]+$/, 'patterns of names, * and **'))
    .map(([pattern]) => {
      const source = pattern
        .replaceAll('.', '\\.')
        .replaceAll('**/', '(?:.+/)?')
        .replaceAll(/(?<!\.)\*/g, '[^/]*')
      return new RegExp(`^${source}(?:/|$)`)
    })
  return (path) => patterns.some((pattern) => pattern.test(path))
}
