import type { secondFactorApi } from '@olmos/contract/second-factor'
import { useMutation } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'

const confirmAgain = caller<typeof secondFactorApi.confirmAgain>('POST /auth/second-factor/confirm-again')

export const useConfirmAgain = () =>
  useMutation({ mutationFn: (otp: string) => confirmAgain({ body: { otp } }), retry: false })
