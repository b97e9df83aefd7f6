import { Alert, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { fieldTexts } from '../../api/field-texts.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { focusFirst } from '../../ui/focus-first.ts'
import { Surface } from '../../ui/Surface.tsx'
import { HiddenNickname, NewPasswordFields, PasswordField } from './account-fields.tsx'
import { passwordErrors } from './password-form.ts'
import { useChangePassword } from './profile.queries.ts'

interface ChangePasswordProps {
  nickname: string
  /** Left out where the page around it has a title. */
  title?: string
  currentLabel: string
  onChanged(): void
}

export function ChangePassword({ nickname, title, currentLabel, onChanged }: ChangePasswordProps) {
  const { t } = useTranslation()
  const change = useChangePassword()
  const form = useForm({
    initialValues: { currentPassword: '', password: '', confirmPassword: '' },
    validate: (values) => fieldTexts(t, passwordErrors(values)),
  })

  const refusal = useRefusal(form, change.error)

  const submit = form.onSubmit(
    ({ currentPassword, password }) =>
      change.mutate(
        { currentPassword, password },
        {
          onSuccess: () => {
            form.reset()
            onChanged()
          },
          onError: refusal.refuse,
        },
      ),
    focusFirst(form),
  )

  return (
    <Surface title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <HiddenNickname nickname={nickname} />
          <PasswordField
            label={currentLabel}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordFields label={t('profile.newPassword')} form={form} />
          {refusal.text && (
            <Alert color="red" role="alert">
              {refusal.text}
            </Alert>
          )}
          <Button type="submit" size="md" variant={title ? 'default' : 'filled'} loading={change.isPending}>
            {t('profile.savePassword')}
          </Button>
        </Stack>
      </form>
    </Surface>
  )
}
