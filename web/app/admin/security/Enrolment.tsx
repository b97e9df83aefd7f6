import { Anchor, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PasswordField } from '../../features/accounts/account-fields.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OneTimeCode } from '../../ui/OneTimeCode.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { OneFieldForm } from './OneFieldForm.tsx'
import { confirmSecret, offerSecret } from './security.queries.ts'

/** Asks for the password, then shows the QR code and asks for the first code of the app. */
export function Enrolment({ onEnrolled }: { onEnrolled(recoveryCodes: string[]): void }) {
  const { t } = useTranslation()
  const [offered, setOffered] = useState<{ secret: string; uri: string }>()
  if (!offered) {
    return (
      <Stack>
        <Text maw={560}>{t('admin.security.why')}</Text>
        <OneFieldForm
          submitLabel={t('admin.security.begin')}
          send={offerSecret}
          onDone={setOffered}
          field={(props) => (
            <PasswordField
              w="100%"
              maw={360}
              label={t('admin.security.password')}
              autoComplete="current-password"
              {...props}
            />
          )}
        />
      </Stack>
    )
  }
  return (
    <Stack>
      <Text maw={560}>{t('admin.security.scan')}</Text>
      <QrCode text={offered.uri} label={t('admin.security.qr')} />
      <Text size="sm" maw={560}>
        {t('admin.security.typeSecret')} <Code translate="no">{offered.secret}</Code>
        {' · '}
        <Anchor href={offered.uri} size="sm">
          {t('admin.security.openApp')}
        </Anchor>
      </Text>
      <OneFieldForm
        submitLabel={t('admin.security.enrol')}
        send={confirmSecret}
        onDone={onEnrolled}
        field={(props) => <OneTimeCode label={t('admin.security.firstCode')} {...props} />}
      />
    </Stack>
  )
}
