import type { MessageFault } from '@olmos/contract/messages'
import { z } from 'zod'
import { vendorUrl } from '../../../platform/vendor/adapters.ts'
import { askVendor, type VendorAnswer, vendorWords } from '../../../platform/vendor/vendor.ts'
import type { ChannelAdapter, SendOutcome } from '../channel.ts'

const settings = z.object({
  TELEGRAM_BOT_TOKEN: z.string().regex(/^\d{3,20}:[\w-]{20,100}$/, 'must be a token as @BotFather gives it'),
  TELEGRAM_BASE_URL: vendorUrl('https://api.telegram.org'),
})

const wordsMax = 300

/** What every method answers (core.telegram.org/bots/api#making-requests, #responseparameters). */
const botAnswer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    description: vendorWords(wordsMax).default(''),
    parameters: z
      .object({ retry_after: z.int().min(0), migrate_to_chat_id: z.int() })
      .partial()
      .optional(),
  }),
])

/** core.telegram.org/bots/api#getme */
const me = z.object({ ok: z.literal(true), result: z.object({ username: z.string().regex(/^\w{4,64}$/) }) })

/** core.telegram.org/bots/api#update, of which only messages in chats with one person are read. */
const updates = z.object({
  ok: z.literal(true),
  result: z.array(
    z.object({
      update_id: z.int(),
      message: z
        .object({ chat: z.object({ id: z.int(), type: z.string() }), text: z.string().optional() })
        .optional()
        .catch(undefined),
    }),
  ),
})

/** What a link to the bot makes of "start": core.telegram.org/bots/features#deep-linking. */
const startWords = /^\/start ([\w-]{1,64})$/

/** A Telegram bot, by three methods of the Bot API: sendMessage, getMe and getUpdates (core.telegram.org/bots/api). */
export const telegram = {
  name: 'telegram',
  settings,
  leading: [],
  create: ({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_BASE_URL: url }, { fetchVendor }) => ({
    starts: {
      async findName() {
        const answer = await askVendor(fetchVendor, `${url}/bot${token}/getMe`, { headers: {} })
        const read = me.safeParse('kind' in answer ? undefined : answer.body)
        return read.success ? read.data.result.username : undefined
      },
      async read(from, seconds) {
        const post = { timeout: seconds, allowed_updates: ['message'], ...(from !== undefined && { offset: from }) }
        const answer = await askVendor(fetchVendor, `${url}/bot${token}/getUpdates`, { headers: {}, post })
        const read = updates.safeParse('kind' in answer ? undefined : answer.body)
        return read.success ? toStarts(read.data.result) : undefined
      },
    },
    async send({ address, text }) {
      const post = { chat_id: address, text, link_preview_options: { is_disabled: true } }
      const answer = await askVendor(fetchVendor, `${url}/bot${token}/sendMessage`, { headers: {}, post })
      if (!('kind' in answer)) return toSendOutcome(answer)
      return { kind: 'unknown', fault: answer.why === 'timeout' ? 'timeout' : 'network' }
    },
  }),
} satisfies ChannelAdapter<typeof settings>

/** Picks those who have started the bot by a link, and says from where to go on. */
function toStarts(result: z.output<typeof updates>['result']) {
  const starts = result.flatMap(({ message }) => {
    const token = message?.chat.type === 'private' && startWords.exec(message.text ?? '')?.[1]
    return message && token ? [{ chatId: String(message.chat.id), token }] : []
  })
  const last = result.at(-1)?.update_id
  return { starts, next: last === undefined ? undefined : last + 1 }
}

/** Reads what Telegram answered. Its own words about what went wrong name no token. */
function toSendOutcome({ status, body }: Pick<VendorAnswer, 'status' | 'body'>): SendOutcome {
  const read = botAnswer.safeParse(body)
  if (!read.success || status >= 500) return { kind: 'unknown', fault: 'broken' }
  if (read.data.ok) return { kind: 'done' }
  const { description, parameters = {} } = read.data
  const { migrate_to_chat_id: movedTo, retry_after: retryAfterSeconds } = parameters
  if (movedTo !== undefined) return { kind: 'rejected', fault: 'chat_moved', words: String(movedTo) }
  return { kind: 'rejected', fault: toFault(status, description), words: description, retryAfterSeconds }
}

function toFault(status: number, description: string): MessageFault {
  // A token that is wrong is no path of the API.
  if (status === 401 || status === 404) return 'not_allowed'
  if (status === 403) return 'blocked'
  if (status === 429) return 'busy'
  return /chat not found|peer_id_invalid|user not found/i.test(description) ? 'no_chat' : 'refused'
}
