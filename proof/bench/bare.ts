import Fastify from 'fastify'
import { Database } from '../../server/src/platform/database/database.ts'
import { serveBareShop } from './bare-shop.ts'
import type { Statement } from './statements.ts'

/**
 * What the store is compared with: a Fastify without checks that answers the same bytes from memory, that sends one
 * statement through pg and answers its rows, and that sells a code with as few statements as a shop can.
 */
export interface BareAnswer {
  path: string
  type: string
  body: string
  /** Answers the rows of it at /asked`path`. */
  statement: Statement | undefined
}

export interface BareOrder {
  databaseUrl: string
  answers: BareAnswer[]
}

process.once('message', async ({ databaseUrl, answers }: BareOrder) => {
  const { pool } = new Database({ url: databaseUrl, connections: 16, onIdleError: () => {} })
  const app = Fastify()
  serveBareShop(app, pool)
  for (const [index, { path, type, body, statement }] of answers.entries()) {
    const answer = type.includes('json') ? JSON.parse(body) : body
    app.get(path, async (_request, reply) => reply.type(type).send(answer))
    if (!statement) continue
    const query = { name: `s${index}`, text: statement.text, values: statement.values }
    app.get(`/asked${path}`, async () => (await pool.query(query)).rows)
  }
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
})
process.once('disconnect', () => process.exit(0))
