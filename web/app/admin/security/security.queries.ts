import type { secondFactorApi } from '@olmos/contract/second-factor'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'

const status = caller<typeof secondFactorApi.status>('GET /auth/second-factor')
const enrol = caller<typeof secondFactorApi.enrol>('POST /auth/second-factor/enrol')
const confirm = caller<typeof secondFactorApi.confirm>('POST /auth/second-factor/confirm')
const renew = caller<typeof secondFactorApi.renewRecoveryCodes>('POST /auth/second-factor/recovery-codes')
const disable = caller<typeof secondFactorApi.disable>('POST /auth/second-factor/disable')

export const useSecondFactor = () => useAdminRead(queryKeys.admin.noun('security'), status, {})

export const offerSecret = async (password: string) => (await enrol({ body: { password } })).data
export const confirmSecret = async (otp: string) => (await confirm({ body: { otp } })).data.recovery_codes
export const renewCodes = async (otp: string) => (await renew({ body: { otp } })).data.recovery_codes
export const giveUp = (otp: string) => disable({ body: { otp } })
