import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FailureCode } from '@olmos/contract/failure-codes'
import { useState } from 'react'
import { type LoaderFunctionArgs, type MetaArgs, useLocation, useNavigate } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import {
  NicknameField,
  PasswordField,
  Refused,
  SubmitButton,
  useLoginOtp,
  WayOut,
  WaysOut,
} from '../features/accounts/account-fields.tsx'
import { useLogIn } from '../features/accounts/accounts.queries.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { WEB_LIMITS } from '../limits.ts'
import { paths } from '../paths.ts'
import { safeReturnPath } from '../session/return-path.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { Surface } from '../ui/Surface.tsx'
import { useStored } from '../ui/stored.ts'
import { toastError, toastSuccess } from '../ui/toast.ts'
import { FormPage } from './FormPage.tsx'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, describe } = await pageServer(args)
  return { meta: describe(t('login.title'), t('login.description')) }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

export default function Login() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const location = useLocation()
  const logIn = useLogIn()
  const required = (value: string) => (value.trim() === '' ? t('failure.INVALID_CREDENTIALS') : null)
  const form = useForm({
    initialValues: { nickname: '', password: '', otp: '' },
    validate: { nickname: required, password: required },
  })
  const code = useLoginOtp(form)
  const [refusal, setRefusal] = useState<Error>()
  // The server does not know where one comes from.
  const isLedBack = useStored(() => safeReturnPath(location.state?.from) !== paths.home, false)

  const submit = form.onSubmit(({ otp, ...values }) => {
    setRefusal(undefined)
    logIn.mutate(code.isAsked ? { ...values, otp } : values, {
      onSuccess: ({ mustChangePassword }) => {
        toastSuccess(t('login.success'), WEB_LIMITS.loginToastMs)
        if (mustChangePassword) return navigate(paths.newPassword, { replace: true, state: location.state })
        navigate(safeReturnPath(location.state?.from), { replace: true, state: location.state?.state })
      },
      onError: (error) => {
        if (code.handle(error)) return
        setRefusal(error)
        toastError(t(toRefusedText(error)))
      },
    })
  }, focusFirst(form))

  return (
    <FormPage title={t('login.title')} text={t(isLedBack ? 'login.ledBack' : 'login.text')}>
      <Surface p="lg" h="100%">
        <form onSubmit={submit} noValidate>
          <Stack>
            <NicknameField {...form.getInputProps('nickname')} />
            <PasswordField
              label={t('login.password')}
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
            {code.field}
            {refusal && <Refused text={t(toRefusedText(refusal))} />}
            <SubmitButton isBusy={logIn.isPending} label={t('login.submit')} busyLabel={t('login.busy')} />
          </Stack>
        </form>
        <WaysOut>
          <WayOut question={t('login.noAccount')} to={paths.register} state={location.state}>
            {t('login.register')}
          </WayOut>
          <WayOut question={t('login.forgot')} to={paths.recover}>
            {t('login.recover')}
          </WayOut>
          <WayOut question={t('login.help')} to={paths.support}>
            {t('login.support')}
          </WayOut>
        </WaysOut>
      </Surface>
    </FormPage>
  )
}

/** What to say about a login that was refused; any other refusal is just a failure. */
const refusedTexts = {
  INVALID_CREDENTIALS: 'failure.INVALID_CREDENTIALS',
  USER_NOT_FOUND: 'failure.USER_NOT_FOUND',
  RATE_LIMITED: 'login.rateLimited',
  NETWORK_ERROR: 'login.networkError',
} as const satisfies Partial<Record<FailureCode | 'NETWORK_ERROR', string>>

const toRefusedText = (error: Error) => {
  const { code, status } = error instanceof ApiError ? error : { code: '', status: 0 }
  if (status >= 500) return 'login.serverError'
  return code in refusedTexts ? refusedTexts[code as keyof typeof refusedTexts] : 'login.failed'
}
