import { Button, Group, Stack } from '@mantine/core'
import { type GetInputPropsReturnType, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'

interface OneFieldFormProps<Answer> {
  submitLabel: string
  color?: string
  send(value: string): Promise<Answer>
  onDone(answer: Answer): void
  onCancel?(): void
  field(props: GetInputPropsReturnType): ReactNode
}

/** A password or a code, and what is done with it. What the store refuses stands at the field. */
export function OneFieldForm<Answer>({ submitLabel, color, send, onDone, onCancel, field }: OneFieldFormProps<Answer>) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const form = useForm({ initialValues: { value: '' } })
  const action = useMutation({
    mutationFn: (value: string) => asAdmin(client, send(value)),
    retry: false,
    onSuccess: onDone,
    onError: (error) => {
      const [text] = Object.values(fieldTexts(t, toFieldErrors(error)))
      form.setErrors({ value: text ?? refusalText({ t, language }, error) })
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.noun('security') }),
  })
  return (
    <form onSubmit={form.onSubmit(({ value }) => action.mutate(value))} noValidate>
      <Stack align="flex-start">
        {field(form.getInputProps('value'))}
        <Group>
          <Button
            type="submit"
            loading={action.isPending}
            disabled={form.values.value === ''}
            {...(color && { color })}
          >
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('admin.form.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
