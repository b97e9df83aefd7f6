import { Button, Group, Stack, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { Counts } from './Counts.tsx'
import { ProblemList } from './ProblemList.tsx'
import type { Import } from './use-import.ts'

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
