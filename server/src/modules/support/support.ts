import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { type NewSupportMessage, type OpenedTalk, supportApi } from '@olmos/contract/support'
import type { Context } from '../../platform/context.ts'
import type { Caller } from '../../platform/http/route.ts'
import { newToken } from '../../platform/security/tokens.ts'
import { findUserByNickname } from '../accounts/accounts.store.ts'
import { nicknameKey } from '../accounts/accounts.ts'
import {
  listTalks,
  markRead,
  openConversation,
  readTalk,
  requireLinked,
  requireOwn,
  toReader,
  writeAsCustomer,
} from './conversations.ts'

/** Signs a question with the session's own name and id, so that nobody writes in another's name. */
const signedBy = (
  user: Caller | undefined,
  { nickname, userId, contact, order, message }: NewSupportMessage,
  language: Language,
) => ({
  kind: 'question' as const,
  ...(user
    ? { userId: user.id, nickname: user.nickname, claimedId: String(user.id), token: null }
    : { userId: null, nickname, claimedId: userId, token: newToken() }),
  contact: contact ?? '',
  order: order ?? '',
  message,
  language,
  accountId: null,
})

/** The message that is stored for a request for a new password that came without any words. */
const noWords = '-'

/** The calls by which customers and visitors talk with the shop. */
export function supportRoutes({ serve, database, config, live, rateLimiter }: Context): void {
  const messagesPerAddress = rateLimiter('supportMessagesPerAddress')
  const replies = rateLimiter('repliesPerConversation')
  const reads = rateLimiter('linkedReadsPerAddress')
  // Behind the # of an address: no browser sends that part to a server, so it is in no log and no referrer.
  const toLink = (token: string) => `${config.publicUrl}/conversation#${token}`

  serve(supportApi.send, async ({ user, body, address, language }) => {
    await messagesPerAddress.count(address)
    const wanted = signedBy(user, body, language)
    const id = await database.transaction((tx) => openConversation(tx, wanted))
    return { success: true as const, id, link: wanted.token && toLink(wanted.token) }
  })

  serve(supportApi.recover, async ({ body, address, language }) => {
    await messagesPerAddress.count(address)
    const { nickname, order, contact, message } = body
    const account = await findUserByNickname(database, nicknameKey(nickname))
    const token = newToken()
    await database.transaction((tx) =>
      openConversation(tx, {
        ...{ kind: 'recovery', userId: null, nickname, claimedId: '', contact, language, token },
        accountId: account?.id ?? null,
        order: order ?? '',
        message: message || noWords,
      }),
    )
    return { success: true as const, link: toLink(token) }
  })

  async function writeReply(id: number, message: string): Promise<OpenedTalk> {
    await replies.count(String(id))
    await database.transaction((tx) => writeAsCustomer(tx, id, message))
    return readTalk(database, id, LIMITS.talkMessages)
  }

  serve(supportApi.openLinked, async ({ body: { token, shown }, address }) => {
    await reads.count(address)
    const id = await requireLinked(database, token)
    const talk = await readTalk(database, id, shown)
    if (talk.is_unread) await database.transaction((tx) => markRead(tx, id, 'customer', talk.last.id))
    return talk
  })

  serve(supportApi.writeLinked, async ({ body: { token, message }, address }) => {
    await reads.count(address)
    return writeReply(await requireLinked(database, token), message)
  })

  serve.stream(supportApi.followLinked, async ({ body: { token }, address }) => {
    await reads.count(address)
    const id = await requireLinked(database, token)
    return live.open('conversations', toReader({ id, user_id: null }))
  })

  serve(supportApi.own, async ({ user }) => ({ data: await listTalks(database, user.id) }))

  serve.stream(supportApi.follow, async ({ user }) => live.open('conversations', user.id))

  serve(supportApi.open, async ({ user, params: { id }, query }) => {
    await requireOwn(database, user.id, id)
    return readTalk(database, id, query.shown)
  })

  serve(supportApi.write, async ({ user, params: { id }, body }) => {
    await requireOwn(database, user.id, id)
    return writeReply(id, body.message)
  })

  serve(supportApi.read, async ({ user, params: { id }, body }) => {
    await requireOwn(database, user.id, id)
    await database.transaction((tx) => markRead(tx, id, 'customer', body.upTo))
  })
}
