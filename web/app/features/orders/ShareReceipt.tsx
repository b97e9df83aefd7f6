import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AnswerTo } from '@olmos/contract/endpoint'
import type { ReceiptShare, sharedReceiptsApi } from '@olmos/contract/shared-receipts'
import { IconGift } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { caller } from '../../api/client.ts'
import { failureText } from '../../api/failure-text.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { CopiedText } from '../../i18n/CopiedText.tsx'
import { formatRecent } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'

const readShare = caller<typeof sharedReceiptsApi.read>('GET /orders/:id/share')
const makeShare = caller<typeof sharedReceiptsApi.make>('POST /orders/:id/share')
const endShare = caller<typeof sharedReceiptsApi.end>('DELETE /orders/:id/share')

type Made = AnswerTo<typeof sharedReceiptsApi.make>

/** Gives the codes of an order to a friend: a link for some time, and a PIN. */
export function ShareReceipt({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconGift size={18} />} onClick={open}>
        {t('shared.give')}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t('shared.giveTitle')} closeLabel={t('topups.close')}>
        <Link orderId={orderId} />
      </Dialog>
    </>
  )
}

function Link({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const queryKey = queryKeys.orders.share(orderId)
  const share = useQuery({ queryKey, queryFn: () => readShare({ params: { id: orderId } }) })
  const [hours, setHours] = useState<1 | 24 | 168>(24)
  const reload = () => client.invalidateQueries({ queryKey })
  const make = useMutation({
    mutationFn: () => makeShare({ params: { id: orderId }, body: { hours } }),
    retry: false,
    onSuccess: reload,
  })
  const end = useMutation({
    mutationFn: () => endShare({ params: { id: orderId } }),
    onSuccess: () => {
      make.reset()
      return reload()
    },
  })
  const error = make.error ?? end.error ?? share.error
  return (
    <Stack>
      <Text>{t('shared.giveText')}</Text>
      {make.data ? (
        <MadeLink made={make.data} />
      ) : (
        <>
          <SegmentedControl
            fullWidth
            aria-label={t('shared.howLong')}
            value={String(hours)}
            onChange={(value) => setHours(Number(value) as typeof hours)}
            data={[
              { value: '1', label: t('shared.hour') },
              { value: '24', label: t('shared.day') },
              { value: '168', label: t('shared.week') },
            ]}
          />
          <Button loading={make.isPending} onClick={() => make.mutate()}>
            {t(share.data?.share ? 'shared.remake' : 'shared.make')}
          </Button>
          {share.data?.share && <Text size="sm">{t('shared.remakeText')}</Text>}
        </>
      )}
      {error && (
        <Alert color="red" role="alert">
          {failureText(t, error)}
        </Alert>
      )}
      {share.data?.share && <OpenLink share={share.data.share} isEnding={end.isPending} onEnd={() => end.mutate()} />}
    </Stack>
  )
}

/** The link and its PIN, which are shown this once. */
function MadeLink({ made: { link, pin } }: { made: Made }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs" role="status">
      <CopiedText label={t('shared.link')} text={link} />
      <CopiedText label={t('shared.pin')} text={pin} />
      <Text size="sm" c="dimmed">
        {t('shared.once')}
      </Text>
    </Stack>
  )
}

interface OpenLinkProps {
  share: ReceiptShare
  isEnding: boolean
  onEnd(): void
}

/** The link that is open now, whether somebody has used it, and a way to end it. */
function OpenLink({ share: { expires_at, openings, opened_at }, isEnding, onEnd }: OpenLinkProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Group justify="space-between">
      <Text size="sm">
        {t('shared.openUntil', { time: formatRecent(expires_at, Date.now(), language) })}{' '}
        {opened_at
          ? t('shared.opened', { count: openings, time: formatRecent(opened_at, Date.now(), language) })
          : t('shared.notOpened')}
      </Text>
      <Button variant="default" loading={isEnding} onClick={onEnd}>
        {t('shared.end')}
      </Button>
    </Group>
  )
}
