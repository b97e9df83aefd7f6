import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { npm, Refusal, root } from './run.mjs'

const stamp = `${root}web/build/stamp`
const folders = ['web', 'contract/src']
const notSources = new Set(['build', '.react-router', 'node_modules'])

/** Builds the pages when a source of theirs has changed since the last build. */
export async function buildWeb() {
  const current = digestSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  console.log('Building the pages ...')
  rmSync(stamp, { force: true })
  const code = await npm(['run', 'build', '-w', 'web'], {
    env: { ...process.env, NODE_ENV: 'production' },
    quiet: true,
  })
  if (code !== 0) throw new Refusal('The pages could not be built; see above.')
  compressFiles()
  writeFileSync(stamp, current)
}

/** Once, here, instead of with every visit. */
function compressFiles() {
  for (const path of filesIn('web/build/client')) {
    if (!/\.(js|css|svg)$/.test(path)) continue
    const content = readFileSync(root + path)
    writeFileSync(`${root}${path}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(
      `${root}${path}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    )
  }
}

function digestSources() {
  const hash = createHash('sha256')
  for (const path of [...folders.flatMap(filesIn), 'package-lock.json']) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(root + path))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  const entries = readdirSync(root + folder, { withFileTypes: true }).filter((entry) => !notSources.has(entry.name))
  return entries
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : join(folder, entry.name)))
    .sort()
}
