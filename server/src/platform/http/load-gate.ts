import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusePage } from './rate-limit.ts'

interface LoadLimits {
  /** How late the event loop may come to its work before fewer pages are let in. */
  lateMs: number
  /** How often that is looked at. */
  everyMs: number
  /** Pages a second that are let in however late it is, and at most. */
  perSecondLeast: number
  perSecondMost: number
  /** How many may come at once after a pause. */
  burst: number
  /** When a refused visitor should retry. */
  retryAfterSeconds: number
}

interface LoadGate {
  /** A hook for the routes of pages, which refuses with 503 what the node can't serve beside those who buy. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Stops looking. */
  stop(): void
}

const warnAgainMs = 60_000
/** A late look takes the pace to this share of the pages that were let in; a good one raises it by a twentieth. */
const slower = 0.7
const faster = 1.05

/**
 * Limits the pages of a whole node, whoever asks, while its event loop is late: a purchase comes to the loop for each of its
 * statements, and what makes it wait is the many who only look. Fewer are let in each time it was late, a little more each
 * time it was not.
 */
export function createLoadGate(limits: LoadLimits, now: () => number = () => performance.now()): LoadGate {
  let perSecond = limits.perSecondMost
  let tokens = limits.burst
  let refilledAt = now()
  let lookedAt = now()
  let letIn = 0
  let warnedAt = Number.NEGATIVE_INFINITY

  const look = setInterval(() => {
    const tookMs = now() - lookedAt
    const letInPerSecond = (letIn / tookMs) * 1_000
    perSecond =
      tookMs - limits.everyMs > limits.lateMs
        ? Math.max(limits.perSecondLeast, Math.min(perSecond, letInPerSecond) * slower)
        : Math.min(limits.perSecondMost, perSecond * faster)
    lookedAt = now()
    letIn = 0
  }, limits.everyMs).unref()

  const takeToken = (): boolean => {
    const at = now()
    tokens = Math.min(limits.burst, tokens + ((at - refilledAt) / 1_000) * perSecond)
    refilledAt = at
    if (tokens < 1) return false
    tokens--
    letIn++
    return true
  }

  return {
    async enter({ log }, reply) {
      if (takeToken()) return undefined
      if (now() - warnedAt >= warnAgainMs) {
        warnedAt = now()
        log.warn({ perSecond: Math.round(perSecond) }, 'the node is late with its work; further pages are refused')
      }
      return refusePage(reply, limits.retryAfterSeconds)
    },
    stop: () => clearInterval(look),
  }
}
