import './mantine.css'
import { Box, Button, Skeleton } from '@mantine/core'
import { Suspense, useEffect } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { LoginAgainGate } from '../features/accounts/LoginAgainGate.tsx'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { paths } from '../paths.ts'
import { useMay } from '../session/profile.ts'
import { RequireAdmin } from '../session/RequireAdmin.tsx'
import { fetchDialogs } from '../ui/Dialog.tsx'
import { Message } from '../ui/Message.tsx'
import { AskOperator } from './form/AskOperator.tsx'
import { AdminTexts } from './i18n/AdminTexts.tsx'
import { EnrolFirst } from './security/EnrolFirst.tsx'
import { AdminBar } from './shell/AdminBar.tsx'
import { AdminLayout } from './shell/AdminLayout.tsx'
import { NotAllowed } from './shell/Allowed.tsx'
import { findTab, firstTab, tabs } from './tabs.ts'

export default function Admin() {
  const { t } = useTranslation()
  // Operators confirm most of what they do.
  useEffect(fetchDialogs, [])
  return (
    <>
      <PrivateTitle title={t('profile.admin')} />
      <RequireAdmin whileUnknown={<AdminSkeleton />}>
        <AdminTexts whileLoading={<AdminSkeleton />}>
          <AdminBar />
          <LoginAgainGate />
          <EnrolFirst>
            <ChosenTab />
          </EnrolFirst>
        </AdminTexts>
      </RequireAdmin>
    </>
  )
}

function ChosenTab() {
  const { tab: wanted } = useParams()
  const may = useMay()
  if (wanted === undefined) {
    const [first] = [...tabs.filter(({ name }) => name === firstTab), ...tabs].filter(({ permission }) =>
      may(permission),
    )
    return <Navigate to={paths.admin(first?.name)} replace />
  }
  const tab = findTab(wanted)
  if (!tab) return <UnknownTab />
  // It was opened by its address, or stood open when the role changed.
  if (tab.permission !== 'own' && !may(tab.permission))
    return (
      <AdminLayout current={tab}>
        <NotAllowed to={tab.permission} />
      </AdminLayout>
    )
  return (
    <AdminLayout current={tab}>
      {/* Another tab is another screen; nothing of the last one's state stays. */}
      <AskOperator key={tab.name}>
        <Suspense fallback={<Skeleton h={320} radius="lg" />}>
          <tab.screen />
        </Suspense>
      </AskOperator>
    </AdminLayout>
  )
}

function AdminSkeleton() {
  return (
    <Box p="md" aria-hidden>
      <Skeleton h={36} w={220} mb="lg" />
      <Skeleton h={320} radius="lg" />
    </Box>
  )
}

function UnknownTab() {
  const { t } = useTranslation()
  return (
    <Message title={t('notFound.title')}>
      <Button component={Link} to={paths.admin()}>
        {t('profile.admin')}
      </Button>
    </Message>
  )
}
