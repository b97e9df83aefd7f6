import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toClient } from './rate-limit.ts'

export interface PageGateLimits {
  /** Pages that one client may ask for every second, for ever, and so many at once after a pause. */
  perSecond: number
  burst: number
  /** As so many pages counts one that is rendered for its request. */
  renderCost: number
  /** Clients that are remembered; the one that asked least lately is forgotten first. */
  clientsAtMost: number
  /** So late a request beyond the limit is answered, and so much later for every other one of its client that waits. */
  lateMs: number
  lateMsPerHeld: number
  /** Answers that wait, of one client and of all. */
  heldOfClientAtMost: number
  heldAtMost: number
  /** When a refused client should come back. */
  retryAfterSeconds: number
}

export interface PageGate {
  /** A hook for routes of pages. A request beyond its client's limit waits, is tried once more, and is refused with 503. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Counts a render that a request caused, which may leave its client in debt. */
  chargeRender(request: FastifyRequest): void
  /** Ends the waiting of all whose answers are held. */
  releaseAll(): void
}

interface Client {
  tokens: number
  refilledAt: number
  held: number
}

const warnAgainMs = 60_000
const refusal = JSON.stringify({ success: false, error: { code: 'OVERLOADED', message: 'too many pages at once' } })

/**
 * Limits the pages of each client address by a token bucket in memory. Refusals are late on purpose: who asks again as
 * soon as there is an answer would only ask faster, and take the event loop from those who buy.
 */
export function createPageGate(limits: PageGateLimits, now: () => number = () => performance.now()): PageGate {
  /** In the order they asked, so that the first is the one to forget. */
  const clients = new Map<string, Client>()
  /** What ends the waiting, by the connection whose answer is held. */
  const held = new Map<Socket, () => void>()
  let warnedAt = Number.NEGATIVE_INFINITY

  const findClient = (address: string): Client => {
    const key = toClient(address)
    const client = clients.get(key) ?? { tokens: limits.burst, refilledAt: now(), held: 0 }
    clients.delete(key)
    clients.set(key, client)
    const [first] = clients.keys()
    if (first !== undefined && clients.size > limits.clientsAtMost) clients.delete(first)
    return client
  }

  /** Whoever has one token may go in, so that dear pages are not crowded out by cheap ones. */
  const takeToken = (client: Client): boolean => {
    const at = now()
    client.tokens = Math.min(limits.burst, client.tokens + ((at - client.refilledAt) / 1_000) * limits.perSecond)
    client.refilledAt = at
    if (client.tokens < 1) return false
    client.tokens--
    return true
  }

  /** A caller who leaves meanwhile keeps its place: leaving must not be a way to ask faster. */
  const delayAnswer = async (client: Client, socket: Socket): Promise<void> => {
    const lateMs = limits.lateMs + client.held * limits.lateMsPerHeld
    client.held++
    await new Promise<void>((release) => {
      const timer = setTimeout(release, lateMs).unref()
      held.set(socket, () => {
        clearTimeout(timer)
        release()
      })
    })
    held.delete(socket)
    client.held--
  }

  const warn = ({ log, ip }: FastifyRequest): void => {
    if (now() - warnedAt < warnAgainMs) return
    warnedAt = now()
    log.warn({ client: toClient(ip) }, 'a client asks for more pages than it may; its pages are late or refused')
  }

  const refuse = (reply: FastifyReply): FastifyReply =>
    reply
      .code(503)
      .header('retry-after', String(limits.retryAfterSeconds))
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(refusal)

  return {
    async enter(request, reply) {
      const { socket } = request
      // Browsers and proxies wait for an answer before they send the next request over its connection.
      if (socket.destroyed || held.has(socket)) return hangUp(socket, reply)
      const client = findClient(request.ip)
      if (takeToken(client)) return undefined

      warn(request)
      if (client.held >= limits.heldOfClientAtMost || held.size >= limits.heldAtMost) {
        // A proxy would take the end of its connection for a broken store, and it is not the one who asks.
        return request.ip === socket.remoteAddress ? hangUp(socket, reply) : refuse(reply)
      }
      await delayAnswer(client, socket)
      if (socket.destroyed) return hangUp(socket, reply)
      return takeToken(client) ? undefined : refuse(reply)
    },
    chargeRender({ ip }) {
      findClient(ip).tokens -= limits.renderCost - 1
    },
    releaseAll() {
      for (const release of held.values()) release()
    },
  }
}

function hangUp(socket: Socket, reply: FastifyReply): FastifyReply {
  socket.destroy()
  return reply.hijack()
}
