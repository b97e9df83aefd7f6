import { existsSync, readFileSync } from 'node:fs'
import { findNode, npm, Refusal, root } from './run.mjs'

/**
 * Brings node_modules to exactly what package-lock.json says, when it is not there yet.
 * @param {{ runNpm?: typeof npm, isDone?: () => boolean }} [how]
 */
export async function installDependencies({ runNpm = npm, isDone = isInstalled } = {}) {
  if (isDone()) return
  console.log('Installing the packages of package-lock.json ...')
  // Whatever this machine's npm is set to: the build needs development packages, PostgreSQL its script.
  const options = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // Nothing but `npm ci`: it takes exactly what package-lock.json names, with the digests it names, and scripts of others run.
  if ((await runNpm(['ci', ...options])) === 0) return
  throw new Refusal('The packages of package-lock.json could not be installed; npm says above why (npm ci).')
}

/** npm leaves a record of what it installed in node_modules, and only when it got to the end. */
function isInstalled() {
  if (!findNode()) return false
  return covers(packagesIn('node_modules/.package-lock.json'), packagesIn('package-lock.json'))
}

/** @typedef {Record<string, { version?: string, optional?: boolean }>} Packages */

/**
 * Is everything that is wanted installed, in the version that is wanted?
 * @param {Packages} installed
 * @param {Packages} wanted
 */
export function covers(installed, wanted) {
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    // Optional packages are for one platform each; those of other platforms stay away.
    return found === undefined ? optional === true : found.version === version
  })
}

/**
 * @param {string} file
 * @returns {Packages}
 */
function packagesIn(file) {
  if (!existsSync(root + file)) return {}
  return JSON.parse(readFileSync(root + file, 'utf8')).packages
}
