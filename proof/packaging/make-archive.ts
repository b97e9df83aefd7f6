import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'

/** Makes a release of this checkout in the folder; answers where its archive is, beside which its checksum stands. */
export async function makeArchive(folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'scripts/release.mjs'), '--out', folder], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The release could not be made; see above.')
  return globSync(join(folder, '*.tar.gz'))[0] ?? ''
}
