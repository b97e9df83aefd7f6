import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { OneTimeCode } from '../../ui/OneTimeCode.tsx'
import { useLogInAgain } from './accounts.queries.ts'
import { PasswordField } from './PasswordField.tsx'

interface LoginAgainDialogProps {
  nickname: string
  onAnswer(isLoggedIn: boolean): void
}

export function LoginAgainDialog({ nickname, onAnswer }: LoginAgainDialogProps) {
  const { t } = useTranslation()
  const logIn = useLogInAgain()
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const form = useForm({ initialValues: { password: '', otp: '' } })

  const refuse = (error: Error) => {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'SECOND_FACTOR_REQUIRED') {
      if (isCodeNeeded) form.setFieldError('otp', t('field.required'))
      return setCodeNeeded(true)
    }
    if (code !== 'INVALID_CREDENTIALS') return form.setFieldError('password', failureText(t, error))
    const isCodeWrong = error instanceof ApiError && error.details.otp !== undefined
    form.setErrors(isCodeWrong ? { otp: t('field.wrong_code') } : { password: t('field.invalid_credentials') })
  }

  const submit = form.onSubmit(({ password, otp }) =>
    logIn.mutate(
      { nickname, password, ...(isCodeNeeded && { otp }) },
      { onSuccess: () => onAnswer(true), onError: refuse },
    ),
  )

  return (
    <Dialog isOpen onClose={() => onAnswer(false)} title={t('loginAgain.title')} closeLabel={t('loginAgain.leave')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{t('loginAgain.text', { nickname })}</Text>
          {/* Tells password managers whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={nickname} readOnly hidden />
          <PasswordField
            label={t('login.password')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {isCodeNeeded && (
            <OneTimeCode
              label={t('secondFactor.code')}
              description={t('secondFactor.text')}
              autoFocus
              {...form.getInputProps('otp')}
            />
          )}
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
