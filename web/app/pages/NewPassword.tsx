import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { ChangePassword } from '../features/accounts/ChangePassword.tsx'
import { useLogOut } from '../features/accounts/profile.queries.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { safeReturnPath } from '../session/return-path.ts'
import { storedCustomer } from '../session/session.ts'
import { toastSuccess } from '../ui/toast.ts'
import { CustomerPage } from './CustomerPage.tsx'

/** Asks for a password of one's own after a login with one that an admin set; nothing else is open until then. */
export default function NewPassword() {
  const { t } = useTranslation()
  return (
    <CustomerPage title={t('newPassword.title')} width="narrow" skeleton={<Text>{t('newPassword.text')}</Text>}>
      <Contents />
    </CustomerPage>
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
      <Text>{t('newPassword.text')}</Text>
      <ChangePassword nickname={storedCustomer().nickname} currentLabel={t('newPassword.given')} onChanged={proceed} />
      <Button variant="default" loading={logOut.isPending} onClick={() => logOut.mutate()}>
        {t('profile.logOut')}
      </Button>
    </Stack>
  )
}
