import { Anchor, Group, Stack, Tabs, Text } from '@mantine/core'
import type { ListedUser } from '@olmos/contract/users'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { paths } from '../../paths.ts'
import { useProfile } from '../../session/profile.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { AccessButtons } from './AccessButtons.tsx'
import { BalanceForm } from './BalanceForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { UserLedger } from './UserLedger.tsx'
import { UserOrders } from './UserOrders.tsx'
import { useUser } from './users.queries.ts'

/** All about one user, and what can be done for or against them. */
export function UserView({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation()
  const query = useUser(id)
  return (
    <SideView title={query.data?.nickname ?? t('admin.users.user', { id })} onClose={onClose}>
      <Loaded query={query} height={320}>
        {(user) => <User user={user} />}
      </Loaded>
    </SideView>
  )
}

/** What one does not do to oneself, and where one's own password is changed. */
function OwnAccess() {
  const { t } = useTranslation()
  return (
    <Text>
      {t('admin.users.ownAccess')}{' '}
      <Anchor component={Link} to={paths.profile}>
        {t('admin.users.ownPassword')}
      </Anchor>
    </Text>
  )
}

function User({ user }: { user: ListedUser }) {
  const { t } = useTranslation()
  const isSelf = useProfile().data?.id === user.id
  return (
    <Stack>
      <Group gap="sm">
        <Text>{t(`admin.users.roles.${user.role}`)}</Text>
        {user.is_blocked && <StatusBadge tone="bad" text={t('admin.users.blocked')} />}
        <Text size="sm" c="dimmed">
          {t('admin.users.user', { id: user.id })} · <Moment at={user.created_at} />
        </Text>
      </Group>
      <Tabs defaultValue="account" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="account">{t('admin.users.account')}</Tabs.Tab>
          <Tabs.Tab value="ledger">{t('admin.users.ledger')}</Tabs.Tab>
          <Tabs.Tab value="orders">{t('admin.users.orders')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="account">
          <Stack gap="xl">
            <BalanceForm user={user} />
            {isSelf ? <OwnAccess /> : <PasswordForm user={user} />}
            {!isSelf && <AccessButtons user={user} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="ledger">
          <UserLedger userId={String(user.id)} />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <UserOrders userId={String(user.id)} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
