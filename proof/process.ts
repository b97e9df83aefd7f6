import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const storeMain = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

/** Flags of Node that load what every process of a run needs. */
export const preload = ['--import', fileURLToPath(new URL('preload.ts', import.meta.url))]

/** A folder for the data of a store, which whoever made it has to remove. */
export async function makeDataFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `olmos-${name}-`))
  // As root the database runs as another user, who must be able to enter.
  await chmod(folder, 0o711)
  return folder
}

/** Whether this address answers with a success at this moment. */
export const isAnswering = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.ok,
    () => false,
  )

/** Ends a process, unless it has ended, and waits until it is gone. */
export async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
