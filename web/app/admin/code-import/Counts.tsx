import { Paper, SimpleGrid, Text } from '@mantine/core'
import { gameNumber } from '../../money/game-number.ts'

interface Count {
  label: string
  count: number
  /** Coloured when there are any. */
  tone?: 'good' | 'wait' | 'bad'
}

export function Counts({ counts }: { counts: readonly Count[] }) {
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
