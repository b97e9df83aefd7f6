import { startVendor, type VendorAnswer, type VendorDouble } from './vendor-double.ts'

export interface TelegramMessage {
  chat_id: string
  text: string
  link_preview_options?: { is_disabled?: boolean }
}

export interface TelegramDouble extends VendorDouble {
  token: string
  /** What arrived, in order. */
  messages: TelegramMessage[]
  name: string
  /** Somebody presses "start" after a link, or writes something. */
  write(chatId: number, text: string, type?: string): void
  /** What it answers about a chat; none: the message arrives. */
  chats: Map<string, VendorAnswer>
}

const refuse = (error_code: number, description: string, parameters?: object): VendorAnswer => ({
  status: error_code,
  body: { ok: false, error_code, description, ...(parameters && { parameters }) },
})

/** Telegram's words for what is wrong with a chat. */
export const telegramRefusals = {
  blocked: refuse(403, 'Forbidden: bot was blocked by the user'),
  kicked: refuse(403, 'Forbidden: bot was kicked from the supergroup chat'),
  notFound: refuse(400, 'Bad Request: chat not found'),
  noRights: refuse(400, 'Bad Request: not enough rights to send text messages to the chat'),
  moved: refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -1001234567890,
  }),
  tooMany: refuse(429, 'Too Many Requests: retry after 70', { retry_after: 70 }),
  unauthorized: refuse(401, 'Unauthorized'),
}

/** The Bot API by core.telegram.org/bots/api: one bot, and its methods sendMessage, getMe and getUpdates. */
export async function startTelegram(): Promise<TelegramDouble> {
  const token = '123456789:AAF-double_of_a_token_with_35_letter'
  const messages: TelegramMessage[] = []
  const chats = new Map<string, VendorAnswer>()
  const botName = 'olmos_double_bot'
  const updates: { update_id: number; message: object }[] = []
  let lastUpdate = 700
  const write = (chatId: number, text: string, type = 'private') => {
    const from = { id: chatId, is_bot: false, first_name: 'Lola' }
    const message = { message_id: 1, date: 1_795_000_000, chat: { id: chatId, type }, from, text }
    updates.push({ update_id: ++lastUpdate, message })
  }
  const answer = ({ method, path, headers, body }: { method: string; path: string; headers: object; body: string }) => {
    const [, bot, name] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (bot === undefined) return refuse(404, 'Not Found')
    if (bot !== token) return telegramRefusals.unauthorized
    if (name === 'getMe') return { status: 200, body: { ok: true, result: { id: 1, is_bot: true, username: botName } } }
    if (name === 'getUpdates') {
      const { offset = 0 } = JSON.parse(body || '{}') as { offset?: number }
      // What an offset passes over is forgotten.
      while (updates[0] && updates[0].update_id < offset) updates.shift()
      return { status: 200, body: { ok: true, result: updates } }
    }
    if (name !== 'sendMessage') return refuse(404, 'Not Found')
    const isJson = 'content-type' in headers && headers['content-type'] === 'application/json'
    const sent = (method === 'POST' && isJson ? JSON.parse(body) : {}) as Partial<TelegramMessage>
    const { chat_id, text } = sent
    if (!chat_id) return refuse(400, 'Bad Request: chat_id is empty')
    if (!text) return refuse(400, 'Bad Request: message text is empty')
    if (text.length > 4_096) return refuse(400, 'Bad Request: message is too long')
    const refusal = chats.get(chat_id)
    if (refusal) return refusal
    messages.push({ ...sent, chat_id, text })
    const result = {
      message_id: messages.length,
      date: 1_795_000_000,
      chat: { id: Number(chat_id) || 1, type: 'private' },
      text,
    }
    return { status: 200, body: { ok: true, result } }
  }
  const double = await startVendor(answer, () => false)
  return Object.assign(double, { token, messages, chats, name: botName, write })
}
