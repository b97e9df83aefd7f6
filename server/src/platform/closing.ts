/** What has to be ended, in the order it was started; it is ended the other way round. */
export type Closers = (() => Promise<unknown> | unknown)[]

const patienceMs = 25_000

/**
 * Ends everything that was started and then the process, on SIGINT, SIGTERM, SIGHUP, when its launcher dies, or when called. A second signal does not
 * make it end twice; what does not end within 25 seconds is left to the next start to recover.
 */
export function endOnSignal(closers: Closers): (exitCode: number) => Promise<never> {
  let ending: Promise<never> | undefined
  const end = (exitCode: number) => {
    ending ??= closeAll(closers, exitCode)
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  // The launcher that started this process has died.
  process.once('disconnect', () => void end(0))
  return end
}

async function closeAll(closers: Closers, exitCode: number): Promise<never> {
  setTimeout(() => process.exit(1), patienceMs).unref()
  let code = exitCode
  for (const close of closers.reverse()) {
    try {
      await close()
    } catch (error) {
      console.error(error)
      code = 1
    }
  }
  process.exit(code)
}
