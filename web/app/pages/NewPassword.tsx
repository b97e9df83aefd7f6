import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { isRefusal } from '../api/api-error.ts'
import { fieldTexts } from '../api/field-texts.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { NewPasswordFields } from '../features/accounts/account-fields.tsx'
import { useSetPasswordByLink } from '../features/accounts/accounts.queries.ts'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { newPasswordErrors } from '../features/accounts/password-form.ts'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { safeReturnPath } from '../session/return-path.ts'
import { storedCustomer } from '../session/session.ts'
import { focusFirst } from '../ui/focus-first.ts'
import { Surface } from '../ui/Surface.tsx'
import { toastSuccess } from '../ui/toast.ts'
import { FormPage } from './FormPage.tsx'

/**
 * Asks for a password of one's own: after a login with one that an admin set, before which nothing else is open, or by a link
 * for who forgot it. What the link ends with is behind the #, where no server sees it, and leaves the address at once.
 */
export default function NewPassword() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [token, setToken] = useState('')
  useEffect(() => {
    if (hash.length < 2) return
    setToken(hash.slice(1))
    navigate({ hash: '' }, { replace: true })
  }, [hash, navigate])
  if (token) {
    return (
      <FormPage title={t('profile.newPassword')}>
        <PrivateTitle title={t('profile.newPassword')} />
        <SetByLink key={token} token={token} />
      </FormPage>
    )
  }
  return (
    <FormPage title={t('newPassword.title')} text={t('newPassword.text')}>
      <PrivateTitle title={t('newPassword.title')} />
      {/* A link is read before anybody is led to the login. */}
      {hash.length > 1 ? (
        <Skeleton h={400} radius={0} aria-hidden />
      ) : (
        <RequireLogin whileUnknown={<Skeleton h={400} radius={0} aria-hidden />}>
          <Contents />
        </RequireLogin>
      )}
    </FormPage>
  )
}

function SetByLink({ token }: { token: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const set = useSetPasswordByLink()
  const form = useForm({
    initialValues: { password: '', confirmPassword: '' },
    validate: (values) => fieldTexts(t, newPasswordErrors(values)),
  })
  const refusal = useRefusal(form, set.error)
  const submit = form.onSubmit(
    ({ password }) =>
      set.mutate(
        { token, password },
        {
          onSuccess: () => {
            toastSuccess(t('newPassword.done'))
            navigate(paths.home, { replace: true })
          },
          onError: refusal.refuse,
        },
      ),
    focusFirst(form),
  )
  const isOver = isRefusal(set.error, 'NOT_FOUND')
  return (
    <Surface p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <NewPasswordFields label={t('profile.newPassword')} form={form} />
          {refusal.text && (
            <Alert color="red" role="alert">
              {isOver ? t('newPassword.over') : refusal.text}
            </Alert>
          )}
          <Button type="submit" size="md" loading={set.isPending}>
            {t('profile.savePassword')}
          </Button>
          {isOver && (
            <Button component={Link} to={paths.recover} variant="default">
              {t('recover.title')}
            </Button>
          )}
        </Stack>
      </form>
    </Surface>
  )
}

function Contents() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { state } = useLocation()
  const client = useQueryClient()
  const logOut = useLogOut(() => navigate(paths.home))

  const proceed = () => {
    toastSuccess(t('newPassword.done'))
    // Queries that were refused on the way here have to be sent again.
    client.clear()
    navigate(safeReturnPath(state?.from), { replace: true, state: state?.state })
  }

  return (
    <Stack>
      <ChangePassword nickname={storedCustomer().nickname} currentLabel={t('newPassword.given')} onChanged={proceed} />
      <Button variant="default" loading={logOut.isPending} onClick={() => logOut.mutate()}>
        {t('profile.logOut')}
      </Button>
    </Stack>
  )
}
