import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { loginAgainEvent, type PageQuestion } from '../../api/questions.ts'
import { tokenKey } from '../../api/token.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { storedCustomer } from '../../session/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { HiddenNickname, PasswordField, useLoginOtp } from './account-fields.tsx'
import { useLogInAgain } from './accounts.queries.ts'

/** Asks for the password over the page when its session has ended; the waiting calls resume afterwards. */
export function LoginAgainGate() {
  const [asked, setAsked] = useState<string>()
  // Not in the state: several calls may be refused before the page is rendered again.
  const waiting = useRef<PageQuestion[]>([])

  useWindowEvent(loginAgainEvent, (event: CustomEvent<PageQuestion>) => {
    const { nickname } = storedCustomer()
    // Nobody knows any more who it was.
    if (nickname === '') return
    event.preventDefault()
    waiting.current.push(event.detail)
    setAsked((before) => before ?? nickname)
  })

  const answer = (isLoggedIn: boolean) => {
    setAsked(undefined)
    for (const question of waiting.current.splice(0)) question.answer(isLoggedIn)
  }

  // Another tab may be quicker to log in.
  useWindowEvent('storage', ({ key, newValue }) => {
    if (key === tokenKey && newValue !== null) answer(true)
  })

  return asked && <LoginAgainDialog nickname={asked} onAnswer={answer} />
}

interface LoginAgainDialogProps {
  nickname: string
  onAnswer(isLoggedIn: boolean): void
}

function LoginAgainDialog({ nickname, onAnswer }: LoginAgainDialogProps) {
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
