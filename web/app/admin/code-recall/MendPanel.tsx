import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/Confirm.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { type MendingKind, useMending } from './use-mending.ts'

/** Helps everybody who bought of the batch: another code, or the money to the wallet. */
export function MendPanel({ batchId, reason }: { batchId: number; reason: string }) {
  const { t } = useTranslation()
  const { isRunning, mended, error, kind, run, stop } = useMending(batchId, reason)
  const [asked, setAsked] = useState<MendingKind>()
  const share = mended ? ((mended.done + mended.left) / Math.max(1, mended.total)) * 100 : 0
  return (
    <Surface>
      <Stack gap="sm">
        <Text>{t('admin.recall.mendText')}</Text>
        <Group>
          <Button disabled={isRunning} onClick={() => setAsked('replace')}>
            {t('admin.recall.mend.replace')}
          </Button>
          <Button disabled={isRunning} variant="default" onClick={() => setAsked('refund')}>
            {t('admin.recall.mend.refund')}
          </Button>
          {isRunning && (
            <Button variant="default" onClick={stop}>
              {t('admin.import.stop')}
            </Button>
          )}
        </Group>
        {kind && (
          <div role="status">
            {isRunning && <Progress value={share} aria-label={t(`admin.recall.mend.${kind}`)} mb="xs" />}
            {mended && <Text size="sm">{t('admin.recall.mended', { ...mended })}</Text>}
          </div>
        )}
        {error !== undefined && (
          <Alert color="red" role="alert">
            {refusalText(t, error)}
          </Alert>
        )}
      </Stack>
      {asked && (
        <Confirm
          isOpen
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            run(asked)
          }}
          texts={{
            title: t(`admin.recall.mend.${asked}`),
            text: t(`admin.recall.ask.${asked}`),
            confirm: t(`admin.recall.mend.${asked}`),
            cancel: t('admin.form.cancel'),
          }}
        />
      )}
    </Surface>
  )
}
