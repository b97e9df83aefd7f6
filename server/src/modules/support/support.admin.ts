import { supportApi } from '@olmos/contract/support'
import type { Context } from '../../platform/context.ts'
import { withTotal } from '../../platform/lists.ts'
import { answerMessage, shownMessage } from './answer-message.ts'
import { countMessages, listMessages } from './support.store.ts'

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
