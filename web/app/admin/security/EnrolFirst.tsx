import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useProfile } from '../../session/profile.ts'
import { Page } from '../../ui/Page.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Enrolment } from './Enrolment.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Shows its children to admins with a second factor where every admin needs one; others set it up here first. */
export function EnrolFirst({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: profile } = useProfile()
  // Shown until they are kept: the profile may say meanwhile that all is well.
  const [codes, setCodes] = useState<string[]>()
  if (!profile?.must_enrol && !codes) return children

  const proceed = async () => {
    await client.invalidateQueries({ queryKey: queryKeys.profile })
    setCodes(undefined)
  }
  return (
    <Page title={t('admin.security.mustTitle')}>
      <Surface p="lg">
        {codes ? (
          <RecoveryCodes codes={codes} onKept={proceed} />
        ) : (
          <Stack>
            <Text maw={560}>{t('admin.security.must')}</Text>
            <Enrolment onEnrolled={setCodes} />
          </Stack>
        )}
      </Surface>
    </Page>
  )
}
