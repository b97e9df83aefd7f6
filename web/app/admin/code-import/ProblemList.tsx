import { Box, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import type { Problem } from './check-lines.ts'

/** The lines that are not taken, and why; of very many, the first. */
export function ProblemList({ problems, total }: { problems: readonly Problem[]; total: number }) {
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
