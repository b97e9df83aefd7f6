import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

// Node loads this before the server, in each of its threads. What takes types out of sources stays in memory, 15 MB for
// a thread, so their text without types is kept beside the packages, and only what has changed is stripped again.

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}node_modules/.cache/stripped-types`

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: readStripped(fileURLToPath(url)), shortCircuit: true }
  },
})

/**
 * Returns a source without its types, which it keeps for the next time; a release keeps all of them before any start.
 * @param {string} path absolute
 */
export function readStripped(path) {
  const source = readFileSync(path, 'utf8')
  const seal = `\n//${createHash('sha256').update(process.version).update(source).digest('base64')}`
  const place = `${folder}/${relative(root, path).replaceAll(/[\\/]/g, '-')}`
  const kept = readKept(place)
  if (kept?.endsWith(seal)) return kept
  const stripped = strip(source) + seal
  keep(place, stripped)
  return stripped
}

/**
 * Node warns that this function may still change, which is nothing an operator has to know: the store brings its own Node.
 * @param {string} source
 */
function strip(source) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** @param {string} place */
function readKept(place) {
  try {
    return readFileSync(place, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Nothing is kept where the folder can't be written to.
 * @param {string} place
 * @param {string} text
 */
function keep(place, text) {
  const half = `${place}.${process.pid}.${threadId}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(half, text)
    renameSync(half, place)
  } catch {}
}
