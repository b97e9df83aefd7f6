import { expect, onTestFinished } from 'vitest'
import { type Channel, createListener } from '../src/platform/database/notify.ts'

/**
 * Listens on a channel as another node does, until the test has finished. Resolves once that is connected to what it hears
 * from then on: the list grows, and begins with the undefined by which a node is told that it is connected.
 */
export async function hear(
  databaseUrl: string | undefined,
  channel: Channel,
  log: Parameters<typeof createListener>[2],
): Promise<(string | undefined)[]> {
  const heard: (string | undefined)[] = []
  const listener = createListener(databaseUrl ?? '', { [channel]: (subject?: string) => heard.push(subject) }, log)
  onTestFinished(() => listener.stop())
  await expect.poll(() => heard, { timeout: 30_000 }).toContain(undefined)
  return heard
}
