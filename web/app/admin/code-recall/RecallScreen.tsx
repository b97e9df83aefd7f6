import { Button, Group, Stack, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { BatchHead } from './BatchHead.tsx'
import { BuyerTable } from './BuyerTable.tsx'
import { MendPanel } from './MendPanel.tsx'
import { RecallDialog } from './RecallDialog.tsx'
import { useBatch } from './recall.queries.ts'

/** An import that turned out bad: take the rest off the shelf, and help who bought of it. */
export function RecallScreen({ batchId }: { batchId: number }) {
  const { t } = useTranslation()
  const [isAsked, setIsAsked] = useState(false)
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
      <Loaded query={useBatch(batchId)} height={160}>
        {(batch) => (
          <>
            <BatchHead batch={batch} onRecall={() => setIsAsked(true)} />
            {batch.recall_reason !== null && (batch.counts.used ?? 0) > 0 && (
              <MendPanel batchId={batchId} reason={batch.recall_reason} sold={batch.counts.used ?? 0} />
            )}
            <BuyerTable batchId={batchId} />
            {isAsked && <RecallDialog batch={batch} onClose={() => setIsAsked(false)} />}
          </>
        )}
      </Loaded>
    </Stack>
  )
}
