import { ActionIcon, Button, Group, Text } from '@mantine/core'
import type { TopupService } from '@olmos/contract/topup-data'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Account, useKeptAccounts } from './kept-accounts.ts'

interface KeptAccountsProps {
  service: TopupService
  current: string
  onChoose(account: Account): void
}

/** Accounts that were used before, to be chosen by one press. */
export function KeptAccounts({ service, current, onChoose }: KeptAccountsProps) {
  const { t } = useTranslation()
  const { accounts, forget } = useKeptAccounts(service)
  const others = accounts.filter((account) => account.id !== current)
  if (others.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={t('topups.recent')}>
      <Text size="sm" c="dimmed">
        {t('topups.recent')}
      </Text>
      {others.map((account) => (
        <Group key={account.id} gap={2} wrap="nowrap">
          <Button variant="default" size="compact-md" maw={220} onClick={() => onChoose(account)} translate="no">
            {account.name || account.id}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('topups.forget', { account: account.name || account.id })}
            onClick={() => forget(account.id)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Group>
  )
}
