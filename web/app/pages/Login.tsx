import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLocation, useNavigate } from 'react-router'
import { ApiError, isRefusal } from '../api/api-error.ts'
import { useLogIn } from '../features/accounts/accounts.queries.ts'
import { PasswordField } from '../features/accounts/PasswordField.tsx'
import { WEB_LIMITS } from '../limits.ts'
import { paths } from '../paths.ts'
import { safeReturnPath } from '../session/return-path.ts'
import { OneTimeCode } from '../ui/OneTimeCode.tsx'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { toastError, toastSuccess } from '../ui/toast.ts'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, url } = await pageServer(args)
  return { meta: { title: `${t('login.title')} · Olmos`, description: t('login.description'), url } }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

export default function Login() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const location = useLocation()
  const logIn = useLogIn()
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const required = (value: string) => (value.trim() === '' ? t('login.invalidCredentials') : null)
  const form = useForm({
    initialValues: { nickname: '', password: '', otp: '' },
    validate: { nickname: required, password: required },
  })

  const refuse = (error: Error) => {
    if (isRefusal(error, 'SECOND_FACTOR_REQUIRED')) {
      if (isCodeNeeded) form.setFieldError('otp', t('field.required'))
      return setCodeNeeded(true)
    }
    if (isRefusal(error, 'INVALID_CREDENTIALS') && error.details.otp) {
      return form.setFieldError('otp', t('field.wrong_code'))
    }
    toastError(loginErrorText(t, error))
  }

  const submit = form.onSubmit(({ otp, ...values }) =>
    logIn.mutate(isCodeNeeded ? { ...values, otp } : values, {
      onSuccess: ({ mustChangePassword }) => {
        toastSuccess(t('login.success'), WEB_LIMITS.loginToastMs)
        if (mustChangePassword) return navigate(paths.newPassword, { replace: true, state: location.state })
        navigate(safeReturnPath(location.state?.from), { replace: true, state: location.state?.state })
      },
      onError: refuse,
    }),
  )

  return (
    <Page title={t('login.title')} width="narrow">
      <Surface p="lg">
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={t('login.nickname')}
              autoComplete="username"
              autoCapitalize="none"
              {...form.getInputProps('nickname')}
            />
            <PasswordField
              label={t('login.password')}
              autoComplete="current-password"
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
            <Button type="submit" size="md" disabled={logIn.isPending}>
              {t(logIn.isPending ? 'login.busy' : 'login.submit')}
            </Button>
          </Stack>
        </form>
        <Text size="sm" mt="md">
          {t('login.noAccount')}{' '}
          <Anchor component={Link} to={paths.register} state={location.state} size="sm" underline="always">
            {t('login.register')}
          </Anchor>
        </Text>
        <Text size="sm" mt={4}>
          {t('login.help')}{' '}
          <Anchor component={Link} to={paths.support} size="sm" underline="always">
            {t('login.support')}
          </Anchor>
        </Text>
      </Surface>
    </Page>
  )
}

function loginErrorText(t: TFunction, error: Error): string {
  if (!(error instanceof ApiError)) return t('login.failed')
  const { status } = error
  if (status === 0) return t('login.networkError')
  if (status === 401) return t('login.invalidCredentials')
  if (status === 404) return t('login.userNotFound')
  if (status === 429) return t('login.rateLimited')
  if (status >= 500) return t('login.serverError')
  return t('login.failed')
}
