import { Button, Group, Skeleton, Stack, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { BatchHead } from './BatchHead.tsx'
import { BuyerTable } from './BuyerTable.tsx'
import { MendPanel } from './MendPanel.tsx'
import { RecallDialog } from './RecallDialog.tsx'
import { useBatch } from './recall.queries.ts'

/** An import that turned out bad: take the rest off the shelf, and help who bought of it. */
export function RecallScreen({ batchId }: { batchId: number }) {
  const { t } = useTranslation()
  const { data: batch, error, isFetching, refetch } = useBatch(batchId)
  const [isAsked, setIsAsked] = useState(false)
  const sold = batch?.counts.used ?? 0
  return (
    <Stack>
      <Group>
        <Button
          component={Link}
          to={`${paths.admin('codes')}?batch=${batchId}`}
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconArrowLeft size={18} />}
        >
          {t('admin.recall.back')}
        </Button>
      </Group>
      <Title order={2} size="h3">
        {t('admin.recall.title', { batch: batchId })}
      </Title>
      {!batch && !error && <Skeleton h={160} radius="lg" />}
      {!batch && error && <ListFailed error={error} isBusy={isFetching} onRetry={refetch} />}
      {batch && (
        <>
          <BatchHead batch={batch} onRecall={() => setIsAsked(true)} />
          {batch.recall_reason !== null && sold > 0 && (
            <MendPanel batchId={batchId} reason={batch.recall_reason} sold={sold} />
          )}
          <BuyerTable batchId={batchId} />
          {isAsked && <RecallDialog batch={batch} onClose={() => setIsAsked(false)} />}
        </>
      )}
    </Stack>
  )
}
