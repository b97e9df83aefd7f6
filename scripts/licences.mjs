import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceFile, unneededPackages } from './release-files.mjs'
import { Refusal } from './run.mjs'

/** Packages that the pages are built with and then carry, though only the build needs them installed. */
const builtIn = ['i18next']

/** Licences that ask for nothing but to be passed on with the program. */
const allowed = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']

/**
 * What is shipped under another licence, why that may be, and the texts of it that have to come along where the package has none.
 * @type {{ licence: string, packages?: string[], reason: string, texts?: string[] }[]}
 */
const exceptions = [
  {
    licence: 'BlueOak-1.0.0',
    reason: 'as permissive as MIT, and asks only for its text or a link to it',
  },
  {
    licence: 'OFL-1.1',
    packages: ['@fontsource-variable/onest'],
    reason: 'a font, which may be passed on with a program, and be cut down under its own name since none is reserved',
  },
  {
    licence: 'LGPL-3.0-or-later',
    packages: ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (machine) => `@img/sharp-libvips-${machine}`,
    ),
    reason:
      'a shared library of its own, unchanged, which sharp links as it runs: another build of it may be put in its place; its sources and what is in it are named at https://github.com/lovell/sharp-libvips',
    texts: ['LGPL-3', 'GPL-3'],
  },
]

/**
 * @typedef {{ version: string, license?: string, link?: boolean, resolved?: string, dev?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 * @typedef {{ path: string, name: string, version: string, licence: string }} Shipped
 */

/**
 * Lists the packages that a release carries, in node_modules or inside the built pages, as package-lock.json names them. What
 * is for another kind of machine is not installed here, and left out.
 * @param {Lock} lock
 * @param {(path: string) => boolean} isInstalled
 * @returns {Shipped[]}
 */
export function listShipped({ packages }, isInstalled) {
  const found = new Set()
  const waiting = [
    ...['contract', 'server', 'web'].flatMap((workspace) =>
      Object.keys(packages[workspace]?.dependencies ?? {}).map((name) => findPackage(packages, workspace, name)),
    ),
    ...[...builtIn, `node-linux-${process.arch}`].map((name) => findPackage(packages, '', name)),
  ]
  for (let path = waiting.pop(); waiting.length > 0 || path !== undefined; path = waiting.pop()) {
    if (path === undefined || found.has(path) || isUnneeded(toName(path)) || !isInstalled(path)) continue
    const { dependencies, optionalDependencies, peerDependencies, link } = packages[path] ?? {}
    // A link leads to a workspace, which is asked by itself.
    if (link) continue
    found.add(path)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      waiting.push(findPackage(packages, path, name))
    }
    // One that only development has installed was an optional one, or is named by whoever carries it.
    for (const name of Object.keys(peerDependencies ?? {})) {
      const peer = findPackage(packages, path, name)
      if (peer !== undefined && !packages[peer]?.dev) waiting.push(peer)
    }
  }
  return [...found].sort().map((path) => ({
    path,
    name: toName(path),
    version: packages[path]?.version ?? '',
    licence: packages[path]?.license ?? '',
  }))
}

/** @param {string} path */
const toName = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** @param {string} name */
const isUnneeded = (name) => unneededPackages.some((one) => name === one || name.startsWith(`${one}/`))

/**
 * Finds what `require(name)` in that folder would find, as Node.js looks for it.
 * @param {Lock['packages']} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function findPackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

/**
 * Returns what is wrong with the licences of these packages, a sentence each.
 * @param {readonly Shipped[]} shipped
 */
export function refuseLicences(shipped) {
  return shipped
    .filter(({ name, licence }) => !isAllowed(licence, name))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} has ${licence === '' ? 'no licence' : `the licence ${licence}`}: do without it, or add it to the exceptions in scripts/licences.mjs with the reason.`,
    )
}

/**
 * Reads an SPDX expression: of `OR` one side is enough, of `AND` both are needed.
 * @param {string} expression
 * @param {string} name
 * @returns {boolean}
 */
function isAllowed(expression, name) {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (text.includes(' OR ')) return text.split(' OR ').some((part) => isAllowed(part, name))
  if (text.includes(' AND ')) return text.split(' AND ').every((part) => isAllowed(part, name))
  return (
    allowed.includes(text) ||
    exceptions.some(({ licence, packages }) => licence === text && (packages?.includes(name) ?? true))
  )
}

/**
 * Makes a CycloneDX description of the release from what `npm sbom` says of the whole lock file: of the same packages the
 * same bytes.
 * @param {string} npmSays
 * @param {readonly Shipped[]} shipped
 * @param {string} version
 */
export function toSbom(npmSays, shipped, version) {
  const refs = new Set(shipped.map((one) => `${one.name}@${one.version}`))
  const { metadata, components, dependencies, serialNumber: _, ...head } = JSON.parse(npmSays)
  /** @typedef {{ 'bom-ref': string }} Component */
  const listed = components.filter((/** @type {Component} */ one) => refs.has(one['bom-ref']))
  const unlisted = [...refs].filter((ref) => !listed.some((/** @type {Component} */ one) => one['bom-ref'] === ref))
  if (unlisted.length > 0) throw new Refusal(`npm sbom does not know ${unlisted.join(', ')}.`)
  const ref = `olmos@${version}`
  const component = { ...metadata.component, 'bom-ref': ref, type: 'application', name: 'olmos', version }
  const described = {
    ...head,
    metadata: { tools: metadata.tools, component },
    components: listed,
    dependencies: dependencies
      .map((/** @type {{ ref: string, dependsOn: string[] }} */ one) => ({
        ...one,
        dependsOn: one.ref === ref ? [...refs] : one.dependsOn.filter((name) => refs.has(name)),
      }))
      .filter((/** @type {{ ref: string }} */ one) => one.ref === ref || refs.has(one.ref)),
  }
  const digest = createHash('sha256').update(JSON.stringify(described)).digest('hex')
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? []
  const [first, second, third, fourth, fifth] = parts
  const serialNumber = `urn:uuid:${first}-${second}-5${third}-a${fourth}-${fifth}`
  return `${JSON.stringify({ ...head, serialNumber, ...described }, undefined, 2)}\n`
}

/**
 * Writes which packages a release carries, of which licence, and the texts of these.
 * @param {readonly Shipped[]} shipped
 * @param {string} root
 */
export function describeLicences(shipped, root) {
  const sections = shipped.map(({ path, name, version, licence }) => {
    const texts = readTexts(join(root, path))
    const said = texts.length > 0 ? texts.join('\n\n') : `The package has no text of its licence; it says: ${licence}.`
    return `${'='.repeat(80)}\n${name} ${version}\n${licence}\n\n${said}\n`
  })
  const others = exceptions.map(
    ({ licence, packages, reason }) => `  ${[licence, ...(packages ?? [])].join(' ')}: ${reason}`,
  )
  const wholeTexts = exceptions
    .flatMap(({ texts = [] }) => texts)
    .map((name) => readFileSync(new URL(`licence-texts/${name}.txt`, import.meta.url), 'utf8').trim())
  return `Olmos carries these packages of others, in node_modules and inside its built pages.
All of them may be used, changed and passed on; their licences are ${allowed.join(', ')}, and

${others.join('\n')}

${shipped.map(({ name, version, licence }) => `  ${name} ${version} (${licence})`).join('\n')}

${[...sections, ...wholeTexts.map((text) => `${'='.repeat(80)}\n${text}\n`)].join('\n')}`
}

/**
 * Reads the texts of licences in the top folder of a package, or what its README says of them.
 * @param {string} folder
 */
function readTexts(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files
    .filter(({ name }) => licenceFile.test(name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
  if (texts.length > 0) return texts
  const readme = files.find(({ name }) => name.toLowerCase() === 'readme.md')
  const [, said] = readme ? readFileSync(join(folder, readme.name), 'utf8').split(/^## licen[cs](?:e|ing)$/im) : []
  return said === undefined ? [] : [said.split(/^## /m, 1).join('').trim()].filter((text) => text !== '')
}

/**
 * Returns what CHANGELOG.md says of a version, which is numbered or still unreleased.
 * @param {string} changelog
 * @param {string} version
 */
export function readChanges(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => {
    const [heading = ''] = text.split('\n')
    return heading.split(/[\s()]+/).includes(version)
  })
  const text = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (text === '')
    throw new Refusal(`CHANGELOG.md says nothing of ${version}: write what changes for operators and customers.`)
  return text
}
