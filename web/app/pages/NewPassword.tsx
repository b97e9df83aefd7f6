import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { paths } from '../paths.ts'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { safeReturnPath } from '../session/return-path.ts'
import { storedCustomer } from '../session/session.ts'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'
import { toastSuccess } from '../ui/toast.ts'

/** For who logged in with a password that an admin set: the only page there is until another is chosen. */
export default function NewPassword() {
  const { t } = useTranslation()
  return (
    <Page title={t('newPassword.title')} width="narrow">
      <PrivateTitle title={t('newPassword.title')} />
      <RequireLogin whileUnknown={<Text>{t('newPassword.text')}</Text>}>
        <Contents />
      </RequireLogin>
    </Page>
  )
}

function Contents() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { state } = useLocation()
  const client = useQueryClient()
  const logOut = useLogOut(() => navigate(paths.home))

  const goOn = () => {
    toastSuccess(t('newPassword.done'))
    // What was refused on the way here is asked for anew.
    client.clear()
    navigate(safeReturnPath(state?.from), { replace: true, state: state?.state })
  }

  return (
    <Stack>
      <Text>{t('newPassword.text')}</Text>
      <ChangePassword nickname={storedCustomer().nickname} currentLabel={t('newPassword.given')} onChanged={goOn} />
      <Button variant="default" loading={logOut.isPending} onClick={() => logOut.mutate()}>
        {t('profile.logOut')}
      </Button>
    </Stack>
  )
}
