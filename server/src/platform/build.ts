import { readFileSync } from 'node:fs'
import packageJson from '../../../package.json' with { type: 'json' }

/** A release writes the commit it was made of into this file at its root; a checkout has none. */
const commitFile = new URL('../../../commit.txt', import.meta.url)
const shortCommit = 12

/** Reads the commit from the file of a release: 'unknown' without one, or where it has anything else in it. */
export function readCommit(file: URL = commitFile): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[0-9a-f]{7,64}$/.test(text) ? text.slice(0, shortCommit) : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** What this program is: the version of the root package.json, and the commit it was made of. */
export const build = { version: packageJson.version, commit: readCommit() } as const
