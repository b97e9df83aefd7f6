import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'

/** Sends a request into the app. Only the beginning of an endless answer is read. */
export async function inject(app: FastifyInstance, request: InjectOptions) {
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = answer
  const stream = answer.stream()
  const isEndless = String(headers['content-type']).startsWith('text/event-stream')
  if (isEndless) stream.destroy()
  return { statusCode, headers, body: isEndless ? '' : (await buffer(stream)).toString() }
}
