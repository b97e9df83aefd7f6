import { LIMITS } from '@olmos/contract/limits'
import { supportApi } from '@olmos/contract/support'
import type { Context } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { insertMessage } from './support.store.ts'

export function supportRoutes({ serve, database, config }: Context): void {
  const limit = { name: 'supportMessagesOfAddress', ...LIMITS.rates.supportMessagesOfAddress }
  const messagesOfAddress = createRateLimiter(database, limit, config.rateLimits)

  serve(supportApi.send, async ({ body, address }) => {
    await messagesOfAddress.count(address)
    return { success: true as const, id: await insertMessage(database, body) }
  })
}
