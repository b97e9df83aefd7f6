import { setTimeout as sleep } from 'node:timers/promises'
import { emailAddress } from '@olmos/contract/fiscal-settings'
import type { MessageFault } from '@olmos/contract/messages'
import { z } from 'zod'
import { shownSetting } from '../../../platform/vendor/adapters.ts'
import { vendorWords } from '../../../platform/vendor/vendor.ts'
import type { ChannelAdapter, SendOutcome } from '../channel.ts'

const here = ['localhost', '127.0.0.1', '::1']

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 1 to 65535')
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, 'must be a number from 1 to 65535')

const settings = z
  .object({
    SMTP_HOST: shownSetting(z.string().regex(/^[\w.:-]{1,253}$/, 'must be a host like smtp.example.com')),
    SMTP_PORT: shownSetting(port.prefault('465')),
    SMTP_SECURITY: shownSetting(
      z.enum(['tls', 'starttls', 'none'], { error: 'must be tls, starttls or none' }).default('tls'),
    ),
    SMTP_USER: shownSetting(z.string().optional()),
    SMTP_PASSWORD: z.string().optional(),
    SMTP_FROM: shownSetting(emailAddress),
  })
  .superRefine((read, { addIssue }) => {
    const wrong = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (read.SMTP_USER !== undefined && read.SMTP_PASSWORD === undefined)
      wrong('SMTP_PASSWORD', 'must be given with SMTP_USER')
    if (read.SMTP_PASSWORD !== undefined && read.SMTP_USER === undefined)
      wrong('SMTP_USER', 'must be given with SMTP_PASSWORD')
    if (read.SMTP_SECURITY === 'none' && !here.includes(read.SMTP_HOST))
      wrong('SMTP_SECURITY', 'must be tls or starttls: only a server on this machine may be spoken to in the open')
  })

/** A mailbox, over SMTP (RFC 5321) by nodemailer. */
export const email = {
  name: 'email',
  settings,
  leading: ['SMTP_HOST', 'SMTP_PORT', 'SMTP_SECURITY'],
  create: (
    { SMTP_HOST, SMTP_PORT, SMTP_SECURITY, SMTP_USER, SMTP_PASSWORD, SMTP_FROM },
    { timeoutMs, sendTimeoutMs },
  ) => ({
    async send({ id, address, from, subject, text }) {
      // A store that sends no mail does without it in memory.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host: SMTP_HOST,
        port: SMTP_PORT,
        secure: SMTP_SECURITY === 'tls',
        requireTLS: SMTP_SECURITY === 'starttls',
        ignoreTLS: SMTP_SECURITY === 'none',
        ...(SMTP_USER !== undefined && { auth: { user: SMTP_USER, pass: SMTP_PASSWORD ?? '' } }),
        dnsTimeout: timeoutMs,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const sent = new AbortController()
      try {
        const sending = transport.sendMail({
          from: { name: from, address: SMTP_FROM },
          to: { name: '', address },
          subject,
          text,
          messageId: `<olmos-${id}@${SMTP_FROM.split('@').at(-1)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return await Promise.race([
          sending.then(() => ({ kind: 'done' }) as const),
          timeOut(sendTimeoutMs, sent.signal),
        ])
      } catch (error) {
        return toMailOutcome(error as MailError)
      } finally {
        sent.abort()
        transport.close()
      }
    },
  }),
} satisfies ChannelAdapter<typeof settings>

/** Says that time is up, unless it is aborted before. */
async function timeOut(timeoutMs: number, signal: AbortSignal): Promise<SendOutcome> {
  await sleep(timeoutMs, undefined, { signal })
  return { kind: 'unknown', fault: 'timeout' }
}

/** What nodemailer's errors have: its own code, the command that failed, and what the server said. */
interface MailError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

const words = vendorWords(300)

/** Reads why a mail was not sent. A server that answers 4xx may be asked again, one that answers 5xx may not. */
function toMailOutcome({ code, command, responseCode, response }: MailError): SendOutcome {
  if (responseCode === undefined) return { kind: 'unknown', fault: code === 'ETIMEDOUT' ? 'timeout' : 'network' }
  const fault = toFault({ code, command, responseCode, response })
  // What is said about a login may name the login.
  return { kind: 'rejected', fault, ...(fault !== 'not_allowed' && response && { words: words.parse(response) }) }
}

function toFault({ code, command = '', responseCode = 0, response = '' }: MailError): MessageFault {
  if (responseCode < 500) return 'busy'
  if (code === 'EAUTH' || responseCode === 530) return 'not_allowed'
  // Other refusals of a recipient are about the sender: no relaying, no reputation.
  return command.startsWith('RCPT') && /\b5\.1\.[1236]\b/.test(response) ? 'no_mailbox' : 'refused'
}
