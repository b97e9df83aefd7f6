import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Break } from '../break.ts'

/** A fault in what was unpacked. */
interface PackagingBreak extends Break {
  /** What the archive lacks, from its top. */
  missing: string
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
  'lost-migrations': { sentence: 'what brings a database up to date was not packed', missing: 'server/migrations' },
}

/** Plants the break in the folder that the archive was unpacked to. */
export const plant = (name: string, folder: string): Promise<void> =>
  rm(join(folder, breaks[name]?.missing ?? ''), { recursive: true })
