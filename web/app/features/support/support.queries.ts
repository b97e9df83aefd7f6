import type { NewSupportMessage, supportApi } from '@olmos/contract/support'
import { useMutation } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'

const send = caller<typeof supportApi.send>('POST /support')

/** Not tried again by itself: a message whose answer was lost may have arrived. */
export const useSendMessage = () =>
  useMutation({ mutationFn: (body: NewSupportMessage) => send({ body }), retry: false })
