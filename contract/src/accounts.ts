import { z } from 'zod'
import { endpoint, endpointsFor } from './endpoint.ts'
import { bigId, byBigId, emptyBody, id, nothing, text, time, toData } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { permissions } from './permissions.ts'
import { isStorable } from './storable.ts'

export const roles = ['customer', 'admin'] as const
export type Role = (typeof roles)[number]

/** Also finds invisible characters, such as fillers and joiners. */
const hasHiddenCharacter = (value: string) => /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(value)

const nicknameSchema = z
  .string()
  .normalize('NFKC')
  .trim()
  .min(LIMITS.nicknameMin, 'nickname_too_short')
  .max(LIMITS.nicknameMax, 'nickname_too_long')
  .refine((value) => !hasHiddenCharacter(value), 'nickname_invalid')

export const passwordFrom = (min: number) =>
  z
    .string()
    .min(min, 'password_too_short')
    .max(LIMITS.passwordMax, 'password_too_long')
    .regex(/\d/, 'password_no_number')
    .refine(isStorable, 'invalid_text')
export const passwordSchema = passwordFrom(LIMITS.passwordMin)

/** A phone number, a nickname of a messenger or an e-mail: how an operator can make sure who asks for the account. */
const contact = text(0, 200)

export const registration = z
  .strictObject({
    nickname: nicknameSchema,
    password: passwordSchema,
    confirmPassword: z.string().optional(),
    contact: contact.nullish(),
  })
  .refine((form) => form.confirmPassword === undefined || form.confirmPassword === form.password, {
    path: ['confirmPassword'],
    error: 'passwords_dont_match',
    // Reported together with the errors of the other fields, not only once those are corrected.
    when: ({ value }) => typeof value === 'object' && value !== null && 'confirmPassword' in value,
  })

const notBlank = (max: number) =>
  z
    .string()
    .max(max, 'invalid_credentials')
    .refine((value) => value.trim() !== '' && isStorable(value), 'invalid_credentials')

/** The present password, given again. */
export const ownPassword = notBlank(1024)

export const credentials = z.strictObject({
  nickname: notBlank(256),
  password: ownPassword,
  otp: z.string().max(32).optional(),
  /** The token from the last login on this device, which a stranger's guesses don't shut out. */
  device: z.string().max(200).optional(),
})

export const session = z.object({
  token: z.string(),
  nickname: z.string(),
  userId: id,
  /** To be sent with the next login from this device. */
  device: z.string(),
  /** Somebody else set the password: another has to be chosen before other calls are open. */
  mustChangePassword: z.literal(true).optional(),
})
export type Session = z.infer<typeof session>

export const profile = z.object({
  id,
  nickname: z.string(),
  role: z.enum(roles),
  /** For admins: the admin area is closed until a second factor is enrolled. */
  must_enrol: z.literal(true).optional(),
  /** For admins: what they may do. */
  permissions: z.array(z.enum(permissions)).optional(),
  balanceUsd: shownAmountSchema,
  balanceRub: shownAmountSchema,
  created_at: time,
  /** Blank for none. */
  contact: z.string(),
  /** Completed orders on the way to being a regular buyer. */
  purchase_status: z.object({ key: z.enum(['new_buyer', 'regular_buyer']), current: z.int(), total: z.int() }),
})
export type Profile = z.infer<typeof profile>

/** Browser, system and network are those of the login, where they are known. */
export const accountSession = z.object({
  id: bigId,
  created_at: time,
  /** Rounded to the hour. */
  last_used_at: time,
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Not the whole address: `203.0.113.0/24`. */
  network: z.string().nullable(),
})
export type AccountSession = z.infer<typeof accountSession>

const ownSession = accountSession.extend({ is_current: z.boolean() })
export type OwnSession = z.infer<typeof ownSession>

const ownEndpoint = endpointsFor({ access: 'customer', tag: 'accounts' })

export const accountsApi = {
  register: endpoint('POST /auth/register', {
    operationId: 'register',
    refusals: ['NICKNAME_TAKEN', 'RATE_LIMITED'],
    access: 'visitor',
    tag: 'accounts',
    summary: 'Opens an account and logs it in',
    body: registration,
    answer: session,
    status: 201,
  }),
  logIn: endpoint('POST /auth/login', {
    operationId: 'logIn',
    refusals: ['USER_NOT_FOUND', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'FORBIDDEN', 'RATE_LIMITED'],
    access: 'visitor',
    tag: 'accounts',
    summary: 'Opens a session',
    body: credentials,
    answer: session,
  }),
  logOut: ownEndpoint('POST /auth/logout', {
    operationId: 'logOut',
    openBefore: 'password change',
    summary: 'Ends the session of this token',
    body: emptyBody,
    answer: nothing,
    status: 204,
  }),
  profile: ownEndpoint('GET /profile', {
    operationId: 'readProfile',
    summary: 'Who is logged in, with balances',
    answer: profile,
  }),
  changePassword: ownEndpoint('PUT /profile/password', {
    operationId: 'changePassword',
    refusals: ['RATE_LIMITED'],
    openBefore: 'password change',
    summary: 'Changes the password and ends every other session',
    body: z.strictObject({ currentPassword: ownPassword, password: passwordSchema }),
    answer: nothing,
    status: 204,
  }),
  changeContact: ownEndpoint('PUT /profile/contact', {
    operationId: 'changeContact',
    refusals: ['RATE_LIMITED'],
    summary: 'Sets how the customer can be reached, by which an operator makes sure who asks for the account back',
    body: z.strictObject({ currentPassword: ownPassword, contact }),
    answer: nothing,
    status: 204,
  }),
  sessions: ownEndpoint('GET /profile/sessions', {
    operationId: 'listOwnSessions',
    summary: 'Own sessions, the one that was used last first',
    answer: toData(z.array(ownSession)),
  }),
  endSession: ownEndpoint('DELETE /profile/sessions/:id', {
    operationId: 'endOwnSession',
    summary: 'Ends one of the own sessions',
    params: byBigId,
    answer: nothing,
    status: 204,
  }),
  endOtherSessions: ownEndpoint('POST /profile/sessions/end-others', {
    operationId: 'endOtherSessions',
    summary: 'Ends every own session but this one',
    body: emptyBody,
    answer: nothing,
    status: 204,
  }),
}
