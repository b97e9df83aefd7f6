import { Alert, Box, Button, Checkbox, Group, List, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import type { PriceChange } from '@olmos/contract/offers'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { PriceChanges } from '../form/PriceChanges.tsx'
import { saveFile } from '../generated-codes/save-file.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import type { Reason } from './mapping.ts'
import { toRejectedFile } from './rejected-file.ts'
import type { Sent } from './send-rows.ts'
import type { Import } from './use-import.ts'

/** What importing would do, with what needs a look; nothing has happened yet, or it stopped half way. */
export function ImportPreview({ work, onImport }: { work: Import; onImport(confirmPrices: boolean): void }) {
  const { t } = useTranslation()
  const [isLeftOut, setIsLeftOut] = useState(false)
  const [confirmed, setConfirmed] = useState<readonly PriceChange[]>()
  const { checked, rehearsed, sent, stage } = work
  if (!checked) return null
  const isStopped = stage === 'stopped'
  const counts = countReasons(checked.reasons, rehearsed)
  const changes = rehearsed.priceChanges
  const asks = changes.some(({ doubts }) => doubts.length > 0)
  // A confirmation covers only the prices it was given for.
  const isConfirmed = confirmed === changes
  const isClean = counts.invalid === 0 || isLeftOut || isStopped
  const blocked =
    rehearsed.added === 0
      ? t('admin.import.nothingNew')
      : !isClean
        ? t('admin.import.mendFirst')
        : asks && !isConfirmed
          ? t('admin.import.confirmFirst')
          : undefined
  return (
    <Surface>
      <Stack>
        <Title order={3} size="h4">
          {t('admin.import.preview')}
        </Title>
        <Counts
          counts={[
            { label: t('admin.import.lineCount'), count: checked.rows },
            { label: t('admin.import.newCodes'), count: rehearsed.added, tone: 'good' },
            { label: t('admin.import.duplicates'), count: counts.known, tone: 'wait' },
            ...(counts.elsewhere > 0
              ? [{ label: t('admin.import.elsewhere'), count: counts.elsewhere, tone: 'bad' } as const]
              : []),
            { label: t('admin.import.invalid'), count: counts.invalid, tone: 'bad' },
            { label: t('admin.import.priceChanges'), count: changes.length, tone: 'wait' },
          ]}
        />
        {changes.length > 0 && (
          <Stack gap={4}>
            <Text fw={600}>{t('admin.import.priceChanges')}</Text>
            <PriceChanges changes={changes} />
          </Stack>
        )}
        {checked.batches > 1 && <Text>{t('admin.import.batches', { count: checked.batches })}</Text>}
        <Rejected work={work} answered={rehearsed} />
        {isStopped && (
          <Alert color="yellow" role="alert">
            {t('admin.import.stopped', { done: gameNumber(sent.rows), count: sent.added })}
          </Alert>
        )}
        {counts.invalid > 0 && !isStopped && (
          <Switch
            label={t('admin.import.leaveOut', { count: counts.invalid })}
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
export function ImportResult({ work, onAgain }: { work: Import; onAgain(): void }) {
  const { t } = useTranslation()
  const { checked, sent } = work
  if (!checked) return null
  const counts = countReasons(checked.reasons, sent)
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
            { label: t('admin.import.lineCount'), count: checked.rows },
            { label: t('admin.import.added'), count: sent.added, tone: 'good' },
            { label: t('admin.import.duplicates'), count: counts.known, tone: 'wait' },
            { label: t('admin.import.invalid'), count: counts.invalid, tone: 'bad' },
          ]}
        />
        <Rejected work={work} answered={sent} />
        <Group>
          {[...sent.batches.values()].slice(0, batchesShown).map((batch) => (
            <Button key={batch} component={Link} to={`${paths.admin('codes')}?batch=${batch}`}>
              {t('admin.import.showBatch', { batch })}
            </Button>
          ))}
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
          <Text component="div" size="xl" fw={700} c={tone && count > 0 ? `var(--olmos-${tone})` : undefined}>
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

/** More than these are found under the purchases of codes. */
const batchesShown = 10

/** How many rows are known already, of which product, and how many can't be imported. */
function countReasons(reasons: ReadonlyMap<number, Reason>, answered: Sent) {
  const all = [...reasons.values(), ...answered.reasons.values()]
  const elsewhere = all.filter((reason) => reason === 'other_product').length
  const known = elsewhere + all.filter((reason) => reason === 'in_stock' || reason === 'repeated').length
  return { known, elsewhere, invalid: all.length - known }
}

/** The rows that are not taken, and why: of very many the first, broken ones before those that are known. */
function Rejected({ work: { source, checked }, answered }: { work: Import; answered: Sent }) {
  const { t } = useTranslation()
  const reasons = new Map([...(checked?.reasons ?? []), ...answered.reasons])
  if (!source || reasons.size === 0) return null
  const isKnown = (reason: Reason) => reason === 'repeated' || reason === 'in_stock'
  const shown = [...reasons]
    .sort(([some, why], [other, because]) => Number(isKnown(why)) - Number(isKnown(because)) || some - other)
    .slice(0, ADMIN_LIMITS.problemsShown)
  const says = (reason: Reason) => t(`admin.import.reason.${reason}`)
  const download = async () => {
    const text = await toRejectedFile(source, reasons, {
      line: t('admin.import.lineTitle'),
      reason: t('admin.import.reasonTitle'),
      column: (place) => {
        const label = source.mapping.parts.find(({ column }) => column === place)?.label
        const role = source.mapping.columns[place] ?? 'skip'
        if (label) return label
        return role === 'skip' ? t('admin.import.column', { number: place + 1 }) : t(`admin.import.role.${role}`)
      },
      says,
    })
    saveFile(t('admin.import.rejectedFile'), text, 'text/csv;charset=utf-8')
  }
  return (
    <Stack gap={4}>
      <Text fw={600}>{t('admin.import.problems')}</Text>
      <Box mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={t('admin.import.problems')}>
        <List size="sm" listStyleType="none">
          {shown.map(([line, reason]) => (
            <List.Item key={line}>
              {t('admin.import.line', { line: gameNumber(line) })}: {says(reason)}
            </List.Item>
          ))}
        </List>
      </Box>
      {reasons.size > shown.length && (
        <Text size="sm" c="dimmed">
          {t('admin.import.moreProblems', { count: reasons.size - shown.length })}
        </Text>
      )}
      <Group>
        <Button variant="default" leftSection={<IconDownload size={18} />} onClick={download}>
          {t('admin.import.rejected')}
        </Button>
      </Group>
    </Stack>
  )
}
