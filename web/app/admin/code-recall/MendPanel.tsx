import { Anchor, Box, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { asAdmin } from '../list/use-admin-list.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { type Mended, mendBuyers, type NotMended, oncePerItem } from './mend-buyers.ts'
import { readAllBuyers, refundFor, replaceFor } from './recall.queries.ts'

/** The most buyers of a recalled batch that are shown as not helped. */
const shownAtMost = 200

type MendingKind = 'replace' | 'refund'

interface State {
  kind: MendingKind | undefined
  isRunning: boolean
  mended: Mended | undefined
  error: unknown
}

const nothing: State = { kind: undefined, isRunning: false, mended: undefined, error: undefined }

/** Replaces or refunds for everybody who has a code of the batch. */
function useMending(batchId: number, reason: string) {
  const client = useQueryClient()
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController>(undefined)
  // Who leaves the page stops it after the buyer it is at.
  useEffect(() => () => running.current?.abort(), [])

  const run = async (kind: MendingKind): Promise<void> => {
    const work = new AbortController()
    running.current = work
    setState({ ...nothing, kind, isRunning: true })
    try {
      const all = await asAdmin(client, readAllBuyers(batchId))
      const mended = await mendBuyers({
        buyers: kind === 'refund' ? oncePerItem(all) : all,
        mend: (buyer) =>
          asAdmin<unknown>(client, kind === 'refund' ? refundFor(buyer, reason) : replaceFor(buyer, reason)),
        onProgress: (reached) => setState((before) => ({ ...before, mended: reached })),
        signal: work.signal,
      })
      setState((before) => ({ ...before, isRunning: false, mended }))
    } catch (error) {
      setState((before) => ({ ...before, isRunning: false, error: work.signal.aborted ? undefined : error }))
    }
    for (const touched of ['codes', 'orders', 'products', 'users'] as const) {
      client.invalidateQueries({ queryKey: queryKeys.admin.noun(touched) })
    }
  }

  return { ...state, run, stop: () => running.current?.abort() }
}

interface MendPanelProps {
  batchId: number
  reason: string
  /** Codes of the batch that buyers have. */
  sold: number
}

/** Helps everybody who bought of the batch: another code, or the money to the wallet, which asks for the batch's number. */
export function MendPanel({ batchId, reason, sold }: MendPanelProps) {
  const { t, language } = useTranslation()
  const { isRunning, mended, error, kind, run, stop } = useMending(batchId, reason)
  const [asked, setAsked] = useState<MendingKind>()
  // What became of the last buyers is told after nobody is left to help.
  if (sold === 0 && !kind) return null
  const share = mended ? ((mended.done + mended.left.length) / Math.max(1, mended.total)) * 100 : 0
  return (
    <Surface>
      <Stack gap="sm">
        {(sold > 0 || isRunning) && (
          <>
            <Text>{t('admin.recall.mendText')}</Text>
            <Group>
              <Allowed to="codes.replace">
                <Button disabled={isRunning} onClick={() => setAsked('replace')}>
                  {t('admin.recall.mend.replace')}
                </Button>
              </Allowed>
              <Allowed to="orders.refund">
                <Button disabled={isRunning} variant="default" onClick={() => setAsked('refund')}>
                  {t('admin.recall.mend.refund')}
                </Button>
              </Allowed>
              {isRunning && (
                <Button variant="default" onClick={stop}>
                  {t('admin.import.stop')}
                </Button>
              )}
            </Group>
          </>
        )}
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
        {error !== undefined && <RefusalAlert text={refusalText({ t, language }, error)} />}
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

/** For whom nothing could be done, and why; of very many, the first. */
function NotMendedList({ left }: { left: readonly NotMended[] }) {
  const { t, language } = useTranslation()
  const shown = left.slice(0, shownAtMost)
  const title = t('admin.recall.notMended')
  return (
    <Stack gap={4}>
      <Text fw={600}>{title}</Text>
      <Box mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={title}>
        <List size="sm" listStyleType="none" spacing={4}>
          {shown.map(({ buyer, error }) => (
            <List.Item key={buyer.code_id}>
              <Anchor component={Link} to={`${paths.admin('orders')}?search=${buyer.order_id}`}>
                {buyer.order_id}
              </Anchor>
              , {buyer.nickname}, {buyer.code}: {refusalText({ t, language }, error)}
            </List.Item>
          ))}
        </List>
      </Box>
      {left.length > shown.length && (
        <Text size="sm" c="dimmed">
          {t('admin.orders.more', { count: left.length - shown.length })}
        </Text>
      )}
    </Stack>
  )
}
