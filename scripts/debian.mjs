import { existsSync } from 'node:fs'
import { run } from './run.mjs'

/**
 * Installs a package of Debian where that can be done: as root, on Debian. Resolves to whether it was tried.
 * @param {string} name
 */
export async function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env, quiet: true })
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], { env, quiet: true })
  return true
}
