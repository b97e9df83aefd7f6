import { z } from 'zod'
import { endpointsFor } from './endpoint.ts'
import { nothing, text, time, toData } from './fields.ts'
import { isStorable } from './storable.ts'

/** Six digits of the app, or a recovery code. */
const otpSchema = text(1, 32)

const otpBody = z.strictObject({ otp: otpSchema })
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const secondFactorStatus = z.object({
  enrolled_at: time.nullable(),
  recovery_codes_left: z.int(),
})

const ownEndpoint = endpointsFor({ access: 'admin', tag: 'accounts' })

export const secondFactorApi = {
  status: ownEndpoint('GET /auth/second-factor', {
    operationId: 'readSecondFactor',
    permission: 'own',
    openBefore: 'enrolment',
    summary: 'Whether the caller has a second factor, and how many recovery codes are left',
    answer: toData(secondFactorStatus),
  }),
  enrol: ownEndpoint('POST /auth/second-factor/enrol', {
    operationId: 'enrolSecondFactor',
    permission: 'own',
    refusals: ['STATE_CONFLICT', 'RATE_LIMITED'],
    openBefore: 'enrolment',
    summary: 'Makes a secret for an app; it counts once a code of it was confirmed',
    body: z.strictObject({
      password: z.string().min(1, 'required').max(1024, 'too_long').refine(isStorable, 'invalid_text'),
    }),
    answer: toData(z.object({ secret: z.string(), uri: z.string() })),
  }),
  confirm: ownEndpoint('POST /auth/second-factor/confirm', {
    operationId: 'confirmSecondFactor',
    permission: 'own',
    refusals: ['STATE_CONFLICT', 'RATE_LIMITED'],
    openBefore: 'enrolment',
    summary: 'Enrols the secret by its first code, ends every other session and answers the recovery codes, once',
    body: otpBody,
    answer: toData(recoveryCodes),
  }),
  confirmAgain: ownEndpoint('POST /auth/second-factor/confirm-again', {
    operationId: 'confirmSecondFactorAgain',
    permission: 'own',
    refusals: ['RATE_LIMITED'],
    summary: 'Lets this session do for some minutes what is asked again for: all that changes the shop or shows a code',
    body: otpBody,
    answer: toData(z.object({ confirmed_until: time })),
  }),
  renewRecoveryCodes: ownEndpoint('POST /auth/second-factor/recovery-codes', {
    operationId: 'renewRecoveryCodes',
    permission: 'own',
    refusals: ['RATE_LIMITED'],
    summary: 'Makes new recovery codes in the place of the old ones',
    body: otpBody,
    answer: toData(recoveryCodes),
  }),
  disable: ownEndpoint('POST /auth/second-factor/disable', {
    operationId: 'disableSecondFactor',
    permission: 'own',
    refusals: ['RATE_LIMITED'],
    summary: 'Gives the second factor up',
    body: otpBody,
    answer: nothing,
    status: 204,
  }),
}
