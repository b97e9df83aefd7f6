import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { refusalText } from './refusal-text.ts'

interface ActionOptions<Input, Answer> {
  noun: AdminNoun
  send(input: Input): Promise<Answer>
  /** The toast shown when it is done. */
  done: string
  onDone?(answer: Answer): void
  /** Whether a refusal is a toast too, because nothing on the screen says it. */
  isRefusalToasted?: boolean
}

/** Does something that is not shown before the store has answered, such as a deletion or a refund, and refetches what it changed. */
export function useAdminAction<Input, Answer>({
  noun,
  send,
  done,
  onDone,
  isRefusalToasted,
}: ActionOptions<Input, Answer>) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: (input: Input) => asAdmin(client, send(input)),
    retry: false,
    onSuccess: (answer) => {
      toastSuccess(done)
      onDone?.(answer)
    },
    onError: (error) => {
      if (isRefusalToasted) toastError(refusalText({ t, language }, error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) }),
  })
  return { ...action, refusal: action.error ? refusalText({ t, language }, action.error) : undefined }
}
