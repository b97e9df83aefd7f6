import type { FastifyInstance } from 'fastify'
import { StartupError } from './startup-error.ts'

const reasons: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is taken; end what uses it or set another PORT.`,
  EACCES: (port) => `Port ${port} may not be used by this user; set a PORT above 1023.`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}; set another HOST.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}; set another HOST.`,
}

/** Starts to take requests. What the operator can mend is a StartupError. */
export async function listen(app: FastifyInstance, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new StartupError(reason(port, host))
  }
}
