import { Box, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { type LoaderFunctionArgs, type MetaArgs, useLoaderData, useLocation, useNavigate } from 'react-router'
import { ApiError, isRefusal } from '../api/api-error.ts'
import { fieldTexts, toFieldErrors } from '../api/field-texts.ts'
import {
  NewPasswordFields,
  NicknameField,
  Refused,
  SubmitButton,
  WayOut,
  WaysOut,
} from '../features/accounts/account-fields.tsx'
import { useRegister } from '../features/accounts/accounts.queries.ts'
import { registrationErrors } from '../features/accounts/password-form.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { WEB_LIMITS } from '../limits.ts'
import { paths } from '../paths.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { Surface } from '../ui/Surface.tsx'
import { toastError, toastSuccess } from '../ui/toast.ts'
import { FormPage } from './FormPage.tsx'
import { pageMeta } from './page-meta.ts'
import { pageServer } from './server-data.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { t, describe, read } = await pageServer(args)
  const ways = await read<{ data: { channels: string[] } }>('/auth/recovery')
  return {
    canMail: ways?.data.channels.includes('email') ?? false,
    meta: describe(t('register.title'), t('register.description')),
  }
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? pageMeta(loaderData.meta) : [])

/** What to say where no field is to blame; to try again helps neither who tried too often nor who has no connection. */
const toRefusedText = (error: Error) => {
  if (isRefusal(error, 'RATE_LIMITED')) return 'login.rateLimited'
  return error instanceof ApiError && error.code === 'NETWORK_ERROR' ? 'login.networkError' : 'register.failed'
}

export default function Register() {
  const { t } = useTranslation()
  const { canMail } = useLoaderData<typeof loader>()
  const navigate = useNavigate()
  const location = useLocation()
  const register = useRegister()
  const [isShaking, setShaking] = useState(false)
  const [refused, setRefused] = useState<ReturnType<typeof toRefusedText>>()
  const form = useForm({
    initialValues: { nickname: '', password: '', confirmPassword: '', contact: '' },
    validate: (values) => fieldTexts(t, registrationErrors(values)),
  })

  const refuse = (error: Error) => {
    setShaking(true)
    setRefused(undefined)
    if (isRefusal(error, 'NICKNAME_TAKEN')) {
      form.setFieldError('nickname', t('failure.NICKNAME_TAKEN'))
      return focusFirst(form)({ nickname: true })
    }
    const errors = toFieldErrors(error)
    form.setErrors(fieldTexts(t, errors))
    if (Object.keys(errors).length > 0) return focusFirst(form)(errors)
    const text = toRefusedText(error)
    setRefused(text)
    toastError(t(text))
  }

  const submit = form.onSubmit(
    (values) =>
      register.mutate(values, {
        onSuccess: () => {
          toastSuccess(t('register.success'))
          // The specification leads home from here, whatever page came before. Drafts of top-ups survive for the visit.
          navigate(paths.home, { replace: true })
        },
        onError: refuse,
      }),
    (errors) => {
      setShaking(true)
      focusFirst(form)(errors)
    },
  )

  return (
    <FormPage title={t('register.title')} text={t('register.text')}>
      <Box
        h="100%"
        onAnimationEnd={() => setShaking(false)}
        style={isShaking ? { animation: `olmos-shake ${WEB_LIMITS.registerShakeMs}ms` } : undefined}
      >
        <Surface p="lg" h="100%">
          <form onSubmit={submit} noValidate>
            <Stack>
              <NicknameField {...form.getInputProps('nickname')} />
              <NewPasswordFields label={t('login.password')} form={form} />
              <TextInput
                label={t('contact.label')}
                description={canMail ? `${t('contact.hint')} ${t('contact.mailHint')}` : t('contact.hint')}
                autoComplete="off"
                autoCapitalize="none"
                maxLength={200}
                {...form.getInputProps('contact')}
              />
              {refused && <Refused text={t(refused)} />}
              <SubmitButton isBusy={register.isPending} label={t('login.register')} busyLabel={t('register.busy')} />
            </Stack>
          </form>
          <WaysOut>
            <WayOut question={t('register.hasAccount')} to={paths.login} state={location.state}>
              {t('login.submit')}
            </WayOut>
          </WaysOut>
        </Surface>
      </Box>
    </FormPage>
  )
}
