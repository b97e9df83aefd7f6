import { z } from 'zod'
import { passwordSchema, session } from './accounts.ts'
import { endpointsFor } from './endpoint.ts'
import { text, toData } from './fields.ts'
import * as LIMITS from './limits.ts'
import { messageChannels } from './messages.ts'

const visitorEndpoint = endpointsFor({ access: 'visitor', tag: 'accounts' })

/** A new password by a link that goes to the customer's own contact. */
export const recoveryApi = {
  ways: visitorEndpoint('GET /auth/recovery', {
    operationId: 'readRecoveryWays',
    summary: 'What of the shop can carry a link for a new password; where nothing does, an operator is asked',
    answer: toData(z.object({ channels: z.array(z.enum(messageChannels)) })),
  }),
  ask: visitorEndpoint('POST /auth/recovery', {
    operationId: 'askForRecoveryLink',
    refusals: ['RATE_LIMITED'],
    summary:
      'Sends a customer a link for a new password, to the contact of the account: by the nickname, or by the address of e-mail. Tells nothing about the account, not even whether there is one',
    body: z.strictObject({ name: text(1, LIMITS.emailLengthMax) }),
    answer: z.object({ success: z.literal(true) }),
    status: 201,
  }),
  setPassword: visitorEndpoint('POST /auth/recovery/password', {
    operationId: 'setPasswordByLink',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    summary:
      'Sets a new password by what the link ends with, which is over by that; ends every session, and opens a new one',
    body: z.strictObject({ token: text(1, 100), password: passwordSchema }),
    answer: session,
  }),
}
