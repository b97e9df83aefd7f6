import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { NotMendedList } from './NotMendedList.tsx'
import { type MendingKind, useMending } from './use-mending.ts'

interface MendPanelProps {
  batchId: number
  reason: string
  /** Codes of the batch that buyers have. */
  sold: number
}

/** Helps everybody who bought of the batch: another code, or the money to the wallet, which asks for the batch's number. */
export function MendPanel({ batchId, reason, sold }: MendPanelProps) {
  const { t } = useTranslation()
  const { isRunning, mended, error, kind, run, stop } = useMending(batchId, reason)
  const [asked, setAsked] = useState<MendingKind>()
  const share = mended ? ((mended.done + mended.left.length) / Math.max(1, mended.total)) * 100 : 0
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
            {mended && (
              <Text size="sm">
                {t('admin.recall.mended', { done: mended.done, total: mended.total, left: mended.left.length })}
              </Text>
            )}
          </div>
        )}
        {mended && mended.left.length > 0 && <NotMendedList left={mended.left} />}
        {error !== undefined && (
          <Alert color="red" role="alert">
            {refusalText(t, error)}
          </Alert>
        )}
      </Stack>
      {asked && (
        <ConfirmDialog
          title={t(`admin.recall.mend.${asked}`)}
          {...(asked === 'refund' && { name: String(batchId) })}
          confirmLabel={t(`admin.recall.mend.${asked}`)}
          isBusy={false}
          onConfirm={() => {
            setAsked(undefined)
            run(asked)
          }}
          onClose={() => setAsked(undefined)}
        >
          <Text>{t(`admin.recall.ask.${asked}`)}</Text>
          <Text fw={600}>{t('admin.recall.codesOfBuyers', { amount: gameNumber(sold) })}</Text>
        </ConfirmDialog>
      )}
    </Surface>
  )
}
