import { Group, Progress, Text } from '@mantine/core'
import type { Profile } from '@olmos/contract/accounts'
import { useTranslation } from 'react-i18next'

/** How far it is to being a regular buyer. */
export function PurchaseStatus({ status }: { status: Profile['purchase_status'] }) {
  const { t } = useTranslation()
  const { current, total } = status
  const label = t(status.key === 'regular_buyer' ? 'profile.regularBuyer' : 'profile.newBuyer')
  return (
    <div>
      <Group justify="space-between" mb={6} gap="xs">
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed">
          {t('profile.progress', { current, total })}
        </Text>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section
          value={Math.min(100, (current / total) * 100)}
          aria-label={label}
          aria-valuetext={t('profile.progress', { current, total })}
        />
      </Progress.Root>
    </div>
  )
}
