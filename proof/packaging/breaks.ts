import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Break } from '../break.ts'

/** A fault in what was unpacked, or in the lines of the Containerfile. */
interface PackagingBreak extends Break {
  /** What the archive lacks, from its top. */
  missing?: string
  /** Text of the Containerfile, and what stands in its place. */
  line?: readonly [text: string, wrong: string]
}

export const breaks: Record<string, PackagingBreak> = {
  'lost-module': {
    sentence: 'the program that renders pages was not packed',
    missing: 'server/program/render-web.js',
  },
  'lost-package': {
    sentence: 'a package that only the server needs was taken for a development package',
    missing: 'node_modules/pino',
  },
  'lost-pages': { sentence: 'the built pages were not packed', missing: 'web/build/server' },
  'lost-assets': { sentence: 'the files that pages name were not packed', missing: 'web/build/client/assets' },
  'lost-notices': {
    sentence: 'the licences of the packages were not packed',
    missing: 'THIRD-PARTY-NOTICES.txt',
  },
  'copy-of-nothing': {
    sentence: 'a line copies what is not there',
    line: ['COPY . .', 'COPY . .\nCOPY node_modules node_modules'],
  },
  'unknown-line': {
    sentence: 'a line is none that the run can carry out',
    line: ['EXPOSE 3000', 'ADD https://shop.example/olmos.tar.gz /opt/olmos'],
  },
  'volume-of-root': {
    sentence: 'the folder of the log of sales belongs to root',
    line: ['install -d -o 10001 -g 10001 -m 0700 /var/lib/olmos/sales', 'install -d -m 0700 /var/lib/olmos/sales'],
  },
  'backups-of-root': {
    sentence: 'the folders of the backups belong to root',
    line: ['install -d -o 999 -g 999 -m 0700 /var/lib/olmos/backups', 'install -d -m 0700 /var/lib/olmos/backups'],
  },
  'lost-migrations': { sentence: 'what brings a database up to date was not packed', missing: 'server/migrations' },
}

/** The Containerfile's text with the break in it. */
export function plantLine(name: string | undefined, text: string): string {
  const [right, wrong] = breaks[name ?? '']?.line ?? ['', '']
  if (!text.includes(right)) throw new Error(`The Containerfile has no ${right} for the break ${name}.`)
  return text.replace(right, () => wrong)
}

/** Plants the break in the folder that the archive was unpacked to. */
export const plant = (name: string, folder: string): Promise<void> =>
  rm(join(folder, breaks[name]?.missing ?? ''), { recursive: true })
