import { Alert, Box, Button, Checkbox, Group, List, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import type { PriceChange } from '@olmos/contract/offers'
import { useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { PriceChanges } from '../form/PriceChanges.tsx'
import type { Problem } from './check-lines.ts'
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

/** What an import has done. */
export function ImportResult({ work: { checked, sent }, onAgain }: { work: Import; onAgain(): void }) {
  const { t } = useTranslation()
  if (!checked) return null
  const problems = [...checked.problems, ...sent.problems].sort((a, b) => a.line - b.line)
  return (
    <Surface>
      <Stack>
        <div role="status">
          <Title order={3} size="h4">
            {t('admin.import.done', { count: sent.added })}
          </Title>
        </div>
        <Counts
          counts={[
            { label: t('admin.import.lineCount'), count: checked.lines },
            { label: t('admin.import.added'), count: sent.added, tone: 'good' },
            { label: t('admin.import.duplicates'), count: checked.repeated.size + sent.inStock, tone: 'wait' },
            { label: t('admin.import.invalid'), count: checked.invalid.size, tone: 'bad' },
          ]}
        />
        <ProblemList problems={problems} total={checked.invalid.size + checked.repeated.size + sent.inStock} />
        <Group>
          {sent.batchId !== undefined && (
            <Button component={Link} to={`${paths.admin('codes')}?batch=${sent.batchId}`}>
              {t('admin.import.showBatch', { batch: sent.batchId })}
            </Button>
          )}
          <Button variant="default" onClick={onAgain}>
            {t('admin.import.again')}
          </Button>
        </Group>
      </Stack>
    </Surface>
  )
}

interface Count {
  label: string
  count: number
  /** Coloured when there are any. */
  tone?: 'good' | 'wait' | 'bad'
}

function Counts({ counts }: { counts: readonly Count[] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      {counts.map(({ label, count, tone }) => (
        <Paper key={label} p="sm" bg="var(--olmos-surface-raised)">
          <Text size="xl" fw={700} c={tone && count > 0 ? `var(--olmos-${tone})` : undefined}>
            {gameNumber(count)}
          </Text>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

/** The lines that are not taken, and why; of very many, the first. */
function ProblemList({ problems, total }: { problems: readonly Problem[]; total: number }) {
  const { t } = useTranslation()
  if (problems.length === 0) return null
  return (
    <Stack gap={4}>
      <Text fw={600}>{t('admin.import.problems')}</Text>
      <Box mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={t('admin.import.problems')}>
        <List size="sm" listStyleType="none">
          {problems.map(({ line, reason }) => (
            <List.Item key={`${line} ${reason}`}>
              {t('admin.import.line', { line: gameNumber(line) })}: {t(`admin.import.reason.${reason}`)}
            </List.Item>
          ))}
        </List>
      </Box>
      {total > problems.length && (
        <Text size="sm" c="dimmed">
          {t('admin.import.moreProblems', { count: total - problems.length })}
        </Text>
      )}
    </Stack>
  )
}
