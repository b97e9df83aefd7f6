import { Alert, Button, Checkbox, Group, Stack, Switch, Text, Title } from '@mantine/core'
import type { PriceChange } from '@olmos/contract/offers'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import { Surface } from '../../ui/Surface.tsx'
import { PriceChanges } from '../form/PriceChanges.tsx'
import { Counts } from './Counts.tsx'
import { ProblemList } from './ProblemList.tsx'
import type { Import } from './use-import.ts'

/** What importing would do, with what needs a look; nothing has happened yet, or it stopped half way. */
export function ImportPreview({ work, onImport }: { work: Import; onImport(confirmPrices: boolean): void }) {
  const { t } = useTranslation()
  const [isLeftOut, setIsLeftOut] = useState(false)
  const [confirmed, setConfirmed] = useState<readonly PriceChange[]>()
  const { checked, rehearsed, sent, stage } = work
  if (!checked) return null
  const invalid = checked.invalid.size
  const isStopped = stage === 'stopped'
  const changes = rehearsed.priceChanges
  const asks = changes.some(({ doubts }) => doubts.length > 0)
  // A confirmation covers only the prices it was given for.
  const isConfirmed = confirmed === changes
  const isClean = invalid === 0 || isLeftOut || isStopped
  const blocked =
    rehearsed.added === 0
      ? t('admin.import.nothingNew')
      : !isClean
        ? t('admin.import.mendFirst')
        : asks && !isConfirmed
          ? t('admin.import.confirmFirst')
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
            { label: t('admin.import.priceChanges'), count: changes.length, tone: 'wait' },
          ]}
        />
        {changes.length > 0 && (
          <Stack gap={4}>
            <Text fw={600}>{t('admin.import.priceChanges')}</Text>
            <PriceChanges changes={changes} />
          </Stack>
        )}
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
        {asks && (
          <Checkbox
            label={t('admin.import.confirmPrices')}
            checked={isConfirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked ? changes : undefined)}
          />
        )}
        <Group>
          <Button disabled={blocked !== undefined} onClick={() => onImport(asks && isConfirmed)}>
            {isStopped ? t('admin.import.resume') : t('admin.import.run', { count: rehearsed.added })}
          </Button>
          <Text size="sm" c="dimmed">
            {blocked}
          </Text>
        </Group>
      </Stack>
    </Surface>
  )
}
