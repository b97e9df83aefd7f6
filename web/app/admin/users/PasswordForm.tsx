import { Button, Group, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import * as LIMITS from '@olmos/contract/limits'
import type { ListedUser } from '@olmos/contract/users'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { PasswordField } from '../../features/accounts/account-fields.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useUnsaved } from '../form/use-unsaved.ts'
import { setPassword } from './users.queries.ts'

interface PasswordFormProps {
  user: ListedUser
  /** Hears whether something is typed that would be lost with the form. */
  onUnsaved(isUnsaved: boolean): void
}

export function PasswordForm({ user, onUnsaved }: PasswordFormProps) {
  const { t } = useTranslation()
  const action = useAdminAction({
    noun: 'users',
    send: (password: string) => setPassword(user, password),
    done: t('admin.users.passwordSet'),
  })
  const form = useForm({
    initialValues: { password: '' },
    validate: {
      password: (value) => {
        if (value.length < LIMITS.adminPasswordMin)
          return t('admin.users.passwordShort', { count: LIMITS.adminPasswordMin })
        return /\d/.test(value) ? null : t('field.password_no_number')
      },
    },
  })
  const isUnsaved = form.values.password !== ''
  useUnsaved(isUnsaved, onUnsaved)
  return (
    <form
      onSubmit={form.onSubmit(({ password }) =>
        action.mutate(password, {
          onSuccess: form.reset,
          onError: (error) => form.setErrors(fieldTexts(t, toFieldErrors(error))),
        }),
      )}
      noValidate
      aria-labelledby="password"
    >
      <Title order={2} size="h4" mb="sm" id="password">
        {t('login.password')}
      </Title>
      <Stack>
        <PasswordField
          label={t('profile.newPassword')}
          description={t('admin.users.passwordHint')}
          autoComplete="new-password"
          maxLength={LIMITS.passwordMax}
          {...form.getInputProps('password')}
        />
        {!form.errors.password && <RefusalAlert text={action.refusal} />}
        <Group>
          <Button type="submit" variant="default" loading={action.isPending}>
            {t('admin.users.setPassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
