import { Alert, Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewSupportMessage, supportApi } from '@olmos/contract/support'
import { IconAlertCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { caller } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { useTranslation } from '../../i18n/use-translation.ts'

const sendMessage = caller<typeof supportApi.send>('POST /support')

interface SupportFormProps {
  /** Who writes, as far as it is known. */
  customer: { nickname: string; userId: string }
  onSent(): void
}

export function SupportForm({ customer, onSent }: SupportFormProps) {
  const { t } = useTranslation()
  // Not tried again by itself: a message whose answer was lost may have arrived.
  const send = useMutation({ mutationFn: (body: NewSupportMessage) => sendMessage({ body }), retry: false })
  const required = (value: string) => (value.trim() === '' ? t('field.required') : null)
  const form = useForm({
    initialValues: { ...customer, contact: '', message: '' },
    validate: { nickname: required, userId: required, message: required },
  })

  // Who is here is known later than the form is shown; what was typed until then stays.
  const [filledFor, setFilledFor] = useState(customer)
  if (filledFor.userId !== customer.userId) {
    setFilledFor(customer)
    for (const field of ['nickname', 'userId'] as const) {
      if (form.values[field] === filledFor[field]) form.setFieldValue(field, customer[field])
    }
  }

  const submit = form.onSubmit((values) =>
    send.mutate(values, {
      onSuccess: () => {
        form.setFieldValue('message', '')
        onSent()
      },
      onError: (error) => form.setErrors(fieldTexts(t, toFieldErrors(error))),
    }),
  )

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('login.nickname')}
          required
          autoComplete="username"
          autoCapitalize="none"
          {...form.getInputProps('nickname')}
        />
        <TextInput
          label={t('support.userId')}
          description={t('support.userIdHint')}
          required
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('userId')}
        />
        <TextInput
          label={t('support.contact')}
          description={t('support.contactHint')}
          autoComplete="off"
          {...form.getInputProps('contact')}
        />
        <Textarea
          label={t('support.message')}
          required
          autosize
          minRows={4}
          maxRows={12}
          {...form.getInputProps('message')}
        />
        {send.error && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {sendFailure(t, send.error)}
          </Alert>
        )}
        <Button type="submit" size="md" loading={send.isPending}>
          {t('support.send')}
        </Button>
      </Stack>
    </form>
  )
}

function sendFailure(t: TFunction, error: Error): string {
  const isKnown =
    error instanceof ApiError && ['RATE_LIMITED', 'VALIDATION_FAILED', 'NETWORK_ERROR'].includes(error.code)
  return isKnown ? `${t('support.failed')} ${failureText(t, error)}` : t('support.failed')
}
