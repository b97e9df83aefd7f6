import { Button, Skeleton, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { safeReturnPath } from '../session/return-path.ts'
import { storedCustomer } from '../session/session.ts'
import { toastSuccess } from '../ui/toast.ts'
import { FormPage } from './FormPage.tsx'

/** Asks for a password of one's own after a login with one that an admin set; nothing else is open until then. */
export default function NewPassword() {
  const { t } = useTranslation()
  return (
    <FormPage title={t('newPassword.title')} text={t('newPassword.text')}>
      <PrivateTitle title={t('newPassword.title')} />
      <RequireLogin whileUnknown={<Skeleton h={400} radius={0} aria-hidden />}>
        <Contents />
      </RequireLogin>
    </FormPage>
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
