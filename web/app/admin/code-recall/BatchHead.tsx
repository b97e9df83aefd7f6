import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { CodeBatch } from '@olmos/contract/code-batches'
import type { CodeStatus } from '@olmos/contract/codes'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { gameNumber } from '../../money/game-number.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { codeStateTones } from '../codes/states.ts'

/** What a batch is, and what became of its codes. */
export function BatchHead({ batch, onRecall }: { batch: CodeBatch; onRecall(): void }) {
  const { t } = useTranslation()
  const counts = Object.entries(batch.counts) as [CodeStatus, number][]
  return (
    <Surface>
      <Stack gap="sm">
        <div>
          <Text fw={600}>{[batch.product_title, batch.region_name].filter(Boolean).join(', ')}</Text>
          <Text size="sm" c="dimmed">
            <Moment at={batch.created_at} /> {batch.imported_by}
            {batch.supplier && t('admin.recall.boughtAt', { supplier: batch.supplier })}
          </Text>
        </div>
        <Group gap="xs">
          {counts.map(([status, count]) => (
            <StatusBadge
              key={status}
              tone={codeStateTones[status]}
              text={`${t(`admin.codes.state.${status}`)}: ${gameNumber(count)}`}
            />
          ))}
        </Group>
        {batch.recalled_at ? (
          <Alert color="yellow" title={t('admin.recall.isRecalled')}>
            <Moment at={batch.recalled_at} />: {batch.recall_reason}
          </Alert>
        ) : (
          <Group>
            <Button color="red" onClick={onRecall}>
              {t('admin.recall.recall')}
            </Button>
          </Group>
        )}
      </Stack>
    </Surface>
  )
}
