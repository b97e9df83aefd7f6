import { Button, Group, Stack, Text } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { useState } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OneTimeCode } from '../../ui/OneTimeCode.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { Enrolment } from './Enrolment.tsx'
import { OneFieldForm } from './OneFieldForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { giveUp, renewCodes, useSecondFactor } from './security.queries.ts'

/** The admin's own second factor. */
export default function SecurityTab() {
  const [codes, setCodes] = useState<string[]>()
  return (
    <Loaded query={useSecondFactor()} height={240}>
      {(factor) => (
        <Surface p="lg">
          {codes ? (
            <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
          ) : factor.enrolled_at ? (
            <Enrolled at={factor.enrolled_at} left={factor.recovery_codes_left} onCodes={setCodes} />
          ) : (
            <Enrolment onEnrolled={setCodes} />
          )}
        </Surface>
      )}
    </Loaded>
  )
}

interface EnrolledProps {
  at: string
  left: number
  onCodes(codes: string[]): void
}

function Enrolled({ at, left, onCodes }: EnrolledProps) {
  const { t } = useTranslation()
  const [wish, setWish] = useState<'codes' | 'disable'>()
  const stop = () => setWish(undefined)
  return (
    <Stack>
      <Group gap="sm">
        <StatusBadge tone="good" text={t('admin.security.on')} />
        <Text size="sm" c="dimmed">
          <Moment at={at} />
        </Text>
      </Group>
      <Text maw={560}>{t('admin.security.onText', { minutes: LIMITS.confirmedMinutes })}</Text>
      <Text c={left < 3 ? 'var(--olmos-bad)' : undefined}>{t('admin.security.left', { count: left })}</Text>
      {wish === undefined && (
        <Group>
          <Button variant="default" onClick={() => setWish('codes')}>
            {t('admin.security.renew')}
          </Button>
          <Button variant="outline" color="red" onClick={() => setWish('disable')}>
            {t('admin.security.disable')}
          </Button>
        </Group>
      )}
      {wish === 'codes' && (
        <OneFieldForm
          submitLabel={t('admin.security.renew')}
          send={renewCodes}
          onDone={onCodes}
          onCancel={stop}
          field={(props) => <OneTimeCode label={t('secondFactor.code')} {...props} />}
        />
      )}
      {wish === 'disable' && (
        <OneFieldForm
          submitLabel={t('admin.security.disable')}
          color="red"
          send={giveUp}
          onDone={() => toastSuccess(t('admin.security.disabled'))}
          onCancel={stop}
          field={(props) => <OneTimeCode label={t('secondFactor.code')} {...props} />}
        />
      )}
    </Stack>
  )
}
