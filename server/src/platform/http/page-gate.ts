import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toClient } from './rate-limit.ts'

interface PageGateLimits {
  /** How many pages a client may request per second in the long run, and at once after a pause. */
  perSecond: number
  burst: number
  /** How many pages a page rendered for its request counts as. */
  renderCost: number
  /** How many clients are remembered; the one that has been silent longest is forgotten first. */
  clientsAtMost: number
  /** How late a request over the limit is answered, and how much later for each other waiting request of its client. */
  lateMs: number
  lateMsPerDelayed: number
  /** How many answers may be delayed, per client and in all. */
  delayedOfClientAtMost: number
  delayedAtMost: number
  /** When a refused client should retry. */
  retryAfterSeconds: number
}

interface PageGate {
  /**
   * A hook for the routes of pages. A request over its client's limit waits, is tried once more, and is then refused
   * with 503.
   */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Charges a render to the client that caused it, which may put it in debt. */
  chargeRender(request: FastifyRequest): void
  /** Ends all delays. */
  releaseAll(): void
}

interface Client {
  tokens: number
  refilledAt: number
  delayed: number
}

const warnAgainMs = 60_000
const refusal = JSON.stringify({ success: false, error: { code: 'OVERLOADED', message: 'too many pages at once' } })

/**
 * Limits the pages of each client address by a token bucket in memory. Refusals are late on purpose: a client that
 * retries as soon as it is answered would only ask faster, and take the event loop from those who buy.
 */
export function createPageGate(limits: PageGateLimits, now: () => number = () => performance.now()): PageGate {
  /** In the order of requests, so that the first is the one to forget. */
  const clients = new Map<string, Client>()
  /** Ends the delay of the answer on a connection. */
  const delayed = new Map<Socket, () => void>()
  let warnedAt = Number.NEGATIVE_INFINITY

  const findClient = (address: string): Client => {
    const key = toClient(address)
    const client = clients.get(key) ?? { tokens: limits.burst, refilledAt: now(), delayed: 0 }
    clients.delete(key)
    clients.set(key, client)
    const [first] = clients.keys()
    if (first !== undefined && clients.size > limits.clientsAtMost) clients.delete(first)
    return client
  }

  /** One token is enough to enter, so that expensive pages are not crowded out by cheap ones. */
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
    const lateMs = limits.lateMs + client.delayed * limits.lateMsPerDelayed
    client.delayed++
    await new Promise<void>((release) => {
      const timer = setTimeout(release, lateMs).unref()
      delayed.set(socket, () => {
        clearTimeout(timer)
        release()
      })
    })
    delayed.delete(socket)
    client.delayed--
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
      if (socket.destroyed || delayed.has(socket)) return hangUp(socket, reply)
      const client = findClient(request.ip)
      if (takeToken(client)) return undefined

      warn(request)
      if (client.delayed >= limits.delayedOfClientAtMost || delayed.size >= limits.delayedAtMost) {
        // A proxy would mistake a closed connection for a broken store, and it is not the one who asks.
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
      for (const release of delayed.values()) release()
    },
  }
}

function hangUp(socket: Socket, reply: FastifyReply): FastifyReply {
  socket.destroy()
  return reply.hijack()
}
