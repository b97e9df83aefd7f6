import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.mjs'
import { Refusal } from './run.mjs'

/**
 * Finds a program that only proofs need, or installs Debian's package of that name as root. Resolves to its path; refuses
 * with a sentence where there is none. Its own variable, such as PGBOUNCER_PATH, says where another one is.
 * @param {string} name
 * @param {readonly string[]} places
 */
export async function findProgram(name, places) {
  const variable = `${name.toUpperCase()}_PATH`
  const known = () => [process.env[variable] ?? '', ...places].find((path) => path !== '' && existsSync(path))
  const found = known() ?? ((await installDebianPackage(name)) ? known() : undefined)
  if (found === undefined) throw new Refusal(`There is no ${name}; install one, or set ${variable} to it.`)
  return found
}
