import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import { Surface } from '../../ui/Surface.tsx'
import type { Import } from './use-import.ts'

interface ImportProgressProps {
  work: Import
  stage: 'reading' | 'checking' | 'importing'
  onStop(): void
}

/** How far it is. */
export function ImportProgress({ work, stage, onStop }: ImportProgressProps) {
  const { t } = useTranslation()
  const total = work.checked?.length ?? 0
  const { lines } = stage === 'importing' ? work.sent : work.rehearsed
  const share = total === 0 ? 0 : Math.floor((lines / total) * 100)
  return (
    <Surface>
      <Stack gap="xs" role="status">
        <Group justify="space-between">
          <Text fw={600}>{t(`admin.import.stage.${stage}`)}</Text>
          <Text size="sm" c="dimmed">
            {total > 0 && t('admin.import.progress', { done: gameNumber(lines), total: gameNumber(total) })}
          </Text>
        </Group>
        <Progress
          value={stage === 'reading' ? 100 : share}
          animated={stage === 'reading'}
          aria-label={t(`admin.import.stage.${stage}`)}
          size="lg"
        />
        <Group justify="flex-end">
          <Button variant="default" size="compact-md" onClick={onStop}>
            {t('admin.import.stop')}
          </Button>
        </Group>
      </Stack>
    </Surface>
  )
}
