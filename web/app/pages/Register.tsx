import { Anchor, Box, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, type MetaArgs, useLocation, useNavigate } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { toFieldErrors } from '../api/field-texts.ts'
import { useRegister } from '../features/accounts/accounts.queries.ts'
import { PasswordField } from '../features/accounts/PasswordField.tsx'
import { WEB_LIMITS } from '../limits.ts'
import { paths } from '../paths.ts'
import { Page } from '../ui/Page.tsx'
import { Surface } from '../ui/Surface.tsx'
import { toastError, toastSuccess } from '../ui/toast.ts'
import { pageMeta } from './page-meta.ts'
import { registrationErrors } from './register-form.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, url } = await pageServer(args)
  return { meta: { title: `${t('register.title')} · Olmos`, description: t('register.description'), url } }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

export default function Register() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const location = useLocation()
  const register = useRegister()
  const [isShaking, setShaking] = useState(false)
  const texts = (errors: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(errors).map(([field, key]) => [field, t(`field.${key}`, { defaultValue: t('field.invalid') })]),
    )
  const form = useForm({
    initialValues: { nickname: '', password: '', confirmPassword: '' },
    validate: (values) => texts(registrationErrors(values)),
  })

  const refuse = (error: Error) => {
    setShaking(true)
    if (error instanceof ApiError && error.code === 'NICKNAME_TAKEN') {
      form.setFieldError('nickname', t('field.nickname_taken'))
      return
    }
    const errors = toFieldErrors(error)
    form.setErrors(texts(errors))
    if (Object.keys(errors).length === 0) toastError(t('register.failed'))
  }

  const submit = form.onSubmit(
    (values) =>
      register.mutate(values, {
        onSuccess: () => {
          toastSuccess(t('register.success'))
          // The specification: home, wherever one came from. What was typed on the pages of top-ups is kept for the visit.
          navigate(paths.home, { replace: true })
        },
        onError: refuse,
      }),
    () => setShaking(true),
  )

  return (
    <Page title={t('register.title')} width="narrow">
      <Box
        onAnimationEnd={() => setShaking(false)}
        style={isShaking ? { animation: `olmos-shake ${WEB_LIMITS.registerShakeMs}ms` } : undefined}
      >
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
                description={t('register.passwordHint')}
                autoComplete="new-password"
                {...form.getInputProps('password')}
              />
              <PasswordField
                label={t('register.confirmPassword')}
                autoComplete="new-password"
                {...form.getInputProps('confirmPassword')}
              />
              <Button type="submit" size="md" disabled={register.isPending}>
                {t(register.isPending ? 'register.busy' : 'register.submit')}
              </Button>
            </Stack>
          </form>
          <Text size="sm" mt="md">
            {t('register.hasAccount')}{' '}
            <Anchor component={Link} to={paths.login} state={location.state} size="sm" underline="always">
              {t('register.logIn')}
            </Anchor>
          </Text>
        </Surface>
      </Box>
    </Page>
  )
}
