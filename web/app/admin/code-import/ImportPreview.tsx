import { Alert, Button, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import { Surface } from '../../ui/Surface.tsx'
import { Counts } from './Counts.tsx'
import { PriceChanges } from './PriceChanges.tsx'
import { ProblemList } from './ProblemList.tsx'
import type { Import } from './use-import.ts'

/** What importing would do, with what needs a look; nothing has happened yet, or it stopped half way. */
export function ImportPreview({ work, onImport }: { work: Import; onImport(): void }) {
  const { t } = useTranslation()
  const [isLeftOut, setIsLeftOut] = useState(false)
  const { checked, rehearsed, sent, stage } = work
  if (!checked) return null
  const invalid = checked.invalid.size
  const isStopped = stage === 'stopped'
  const blocked =
    rehearsed.added === 0
      ? t('admin.import.nothingNew')
      : invalid > 0 && !isLeftOut
        ? t('admin.import.mendFirst')
        : undefined
  const problems = [...checked.problems, ...rehearsed.problems].sort((a, b) => a.line - b.line)
  return (
    <Surface>
      <Stack>
        <Title order={3} size="h4">
          {t('admin.import.preview')}
        </Title>
        <Counts
          counts={[
            { label: t('admin.import.lineCount'), count: checked.lines },
            { label: t('admin.import.newCodes'), count: rehearsed.added, tone: 'good' },
            { label: t('admin.import.duplicates'), count: checked.repeated.size + rehearsed.inStock, tone: 'wait' },
            { label: t('admin.import.invalid'), count: invalid, tone: 'bad' },
            { label: t('admin.import.priceChanges'), count: rehearsed.priceChanges.length, tone: 'wait' },
          ]}
        />
        <PriceChanges changes={rehearsed.priceChanges} />
        <ProblemList problems={problems} total={invalid + checked.repeated.size + rehearsed.inStock} />
        {isStopped && (
          <Alert color="yellow" role="alert">
            {t('admin.import.stopped', { done: gameNumber(sent.lines), count: sent.added })}
          </Alert>
        )}
        {invalid > 0 && !isStopped && (
          <Switch
            label={t('admin.import.leaveOut', { count: invalid })}
            checked={isLeftOut}
            onChange={(event) => setIsLeftOut(event.currentTarget.checked)}
          />
        )}
        <Group>
          <Button disabled={blocked !== undefined && !isStopped} onClick={onImport}>
            {isStopped ? t('admin.import.goOn') : t('admin.import.run', { count: rehearsed.added })}
          </Button>
          {!isStopped && (
            <Text size="sm" c="dimmed">
              {blocked}
            </Text>
          )}
        </Group>
      </Stack>
    </Surface>
  )
}
