import { type NewSupportMessage, supportApi } from '@olmos/contract/support'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/database/lists.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { answerMessage, countMessages, insertMessage, listMessages, shownMessage } from './support.ts'

export function supportAdmin({ serve, database }: Context): void {
  serve(supportApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listMessages(database, list), () => countMessages(database, list))
    return { data: rows.map(shownMessage), total }
  })

  serve(supportApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => answerMessage(tx, user.id, params.id, body)),
  }))
}

/** Signs the message with the session's own name and id, so that nobody writes in another's name. */
const signedBy = (user: Caller | undefined, message: NewSupportMessage) =>
  user
    ? { ...message, nickname: user.nickname, userId: String(user.id), senderId: user.id }
    : { ...message, senderId: null }

export function supportRoutes({ serve, database, config }: Context): void {
  const limit = { name: 'supportMessagesPerAddress', ...SERVER_LIMITS.rates.supportMessagesPerAddress }
  const messagesPerAddress = createRateLimiter(database, limit, config.rateLimits)

  serve(supportApi.send, async ({ user, body, address }) => {
    await messagesPerAddress.count(address)
    return { success: true as const, id: await insertMessage(database, signedBy(user, body)) }
  })
}
