import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Surface } from '../../ui/Surface.tsx'

/** What is bought, line by line, and for whom. */
export function TopupSummary({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Surface>
      <Title order={2} size="h4" mb="sm">
        {t('topups.summary')}
      </Title>
      <Stack gap="xs">{children}</Stack>
    </Surface>
  )
}

export function SummaryLine({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <Group justify="space-between" align="baseline" wrap="nowrap" gap="md">
      <Text c="dimmed">{name}</Text>
      <Text component="div" ta="end" fw={600} miw={0}>
        {children}
      </Text>
    </Group>
  )
}

/** Names the recipient: the player's name, else what was typed. */
export function SummaryAccount({ account }: { account: string }) {
  const { t } = useTranslation()
  if (account === '') return null
  return (
    <SummaryLine name={t('topups.forWhom')}>
      <span translate="no">{account}</span>
    </SummaryLine>
  )
}
