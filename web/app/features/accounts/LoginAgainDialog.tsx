import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { HiddenNickname, PasswordField, useLoginOtp } from './account-fields.tsx'
import { useLogInAgain } from './accounts.queries.ts'

interface LoginAgainDialogProps {
  nickname: string
  onAnswer(isLoggedIn: boolean): void
}

export function LoginAgainDialog({ nickname, onAnswer }: LoginAgainDialogProps) {
  const { t } = useTranslation()
  const logIn = useLogInAgain()
  const form = useForm({ initialValues: { password: '', otp: '' } })
  const code = useLoginOtp(form)

  const refuse = (error: Error) => {
    if (code.handle(error)) return
    const isWrong = isRefusal(error, 'INVALID_CREDENTIALS')
    form.setFieldError('password', isWrong ? t('field.invalid_credentials') : failureText(t, error))
  }

  const submit = form.onSubmit(({ password, otp }) =>
    logIn.mutate(
      { nickname, password, ...(code.isAsked && { otp }) },
      { onSuccess: () => onAnswer(true), onError: refuse },
    ),
  )

  return (
    <Dialog isOpen onClose={() => onAnswer(false)} title={t('loginAgain.title')} closeLabel={t('loginAgain.leave')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{t('loginAgain.text', { nickname })}</Text>
          <HiddenNickname nickname={nickname} />
          <PasswordField
            label={t('login.password')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {code.field}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onAnswer(false)}>
              {t('loginAgain.leave')}
            </Button>
            <Button type="submit" loading={logIn.isPending} disabled={form.values.password === ''}>
              {t('login.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
