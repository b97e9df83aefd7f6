import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AdminNoun, queryKeys } from '../../api/query-keys.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { refusalText } from './refusal-text.ts'

interface ActionOptions<Input, Answer> {
  noun: AdminNoun
  send(input: Input): Promise<Answer>
  /** What to tell when it is done. */
  done: string
  onDone?(answer: Answer): void
}

/** Something that is done once and not shown before it is: a deletion, a refund. What it changes is asked for anew. */
export function useAdminAction<Input, Answer>({ noun, send, done, onDone }: ActionOptions<Input, Answer>) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: (input: Input) => asAdmin(client, send(input)),
    retry: false,
    onSuccess: (answer) => {
      toastSuccess(done)
      onDone?.(answer)
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun(noun) }),
  })
  return { ...action, refusal: action.error ? refusalText(t, action.error) : undefined }
}
