import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.mjs'
import { Refusal, root, run } from './run.mjs'

const ofDebian = '/usr/bin/chromium'

/** The Chromium that is on this machine, before any is installed; undefined leaves the choice to Playwright. */
export function knownChromium() {
  return process.env.CHROMIUM_PATH || (existsSync(ofDebian) ? ofDebian : undefined)
}

/**
 * Finds a Chromium for the journeys, or installs one: Debian's as root, else Playwright's own. Resolves to its path,
 * or to undefined for Playwright's own.
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const known = knownChromium()
  if (known !== undefined) {
    if (existsSync(known)) return known
    throw new Refusal(`There is no Chromium at CHROMIUM_PATH ${known}.`)
  }
  if (await playwrightHasOne()) return undefined

  console.log('Installing Chromium ...')
  if ((await installDebianPackage('chromium')) && existsSync(ofDebian)) return ofDebian
  await run(process.execPath, [`${root}node_modules/playwright/cli.js`, 'install', 'chromium'])
  if (await playwrightHasOne()) return undefined
  throw new Refusal('There is no Chromium, and none could be installed; install one and set CHROMIUM_PATH to it.')
}

async function playwrightHasOne() {
  const { chromium } = await import('playwright')
  return existsSync(chromium.executablePath())
}
