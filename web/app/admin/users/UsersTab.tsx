import { Anchor, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import type { ListedUser } from '@olmos/contract/users'
import { useState } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useProfile } from '../../session/profile.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ExportButtons } from '../exports/ExportButtons.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { DayFilters } from '../list/DayFilters.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { useChosen } from '../list/use-list-view.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { BalanceForm } from './BalanceForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { UserLedger, UserOrders, UserTalks } from './UserHistory.tsx'
import { setBlocked, setRole, useUser, useUsers } from './users.queries.ts'

export default function UsersTab() {
  const { t } = useTranslation()
  const list = useUsers()
  const [chosen, choose] = useChosen(list.view, 'user')

  const userColumns: Column<ListedUser>[] = [
    {
      title: t('login.nickname'),
      sort: 'nickname',
      isHead: true,
      cell: (user) => (
        <Anchor component="button" fw={600} onClick={() => choose(String(user.id))}>
          {user.nickname}
        </Anchor>
      ),
    },
    { title: t('admin.users.id'), sort: 'id', align: 'right', cell: (user) => user.id },
    { title: t('admin.users.role'), isState: true, cell: (user) => <UserState user={user} /> },
    columns.money({ title: t('admin.users.usd'), isBare: true }, (user) => [user.balanceUsd, 'USD']),
    columns.money({ title: t('admin.users.rub'), isBare: true }, (user) => [user.balanceRub, 'RUB']),
    columns.when({ title: t('admin.users.since'), sort: 'created_at' }, (user) => user.created_at),
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={userColumns}
        onOpen={({ id }) => choose(String(id))}
        searchLabel={t('admin.users.search')}
        empty={t('admin.users.empty')}
        head={<ExportButtons what="customers" />}
        selects={[
          {
            name: 'role',
            label: t('admin.users.role'),
            options: [
              { value: 'customer', label: t('admin.users.roles.customer') },
              { value: 'admin', label: t('admin.users.roles.admin') },
            ],
          },
          {
            name: 'blocked',
            label: t('admin.users.access'),
            options: [
              { value: 'false', label: t('admin.users.letIn') },
              { value: 'true', label: t('admin.users.blocked') },
            ],
          },
        ]}
        filters={<DayFilters view={list.view} />}
      />
      {chosen && <UserView id={chosen} onClose={() => choose(undefined)} />}
    </>
  )
}

function UserState({ user }: { user: ListedUser }) {
  const { t } = useTranslation()
  return (
    <Group gap={6}>
      {t(`admin.users.roles.${user.role}`)}
      {user.is_blocked && <StatusBadge tone="bad" text={t('admin.users.blocked')} />}
    </Group>
  )
}

/** All about one user, and what can be done for or against them. */
function UserView({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation()
  const query = useUser(id)
  const [isBalanceTyped, setBalanceTyped] = useState(false)
  const [isPasswordTyped, setPasswordTyped] = useState(false)
  return (
    <SideView
      title={query.data?.nickname ?? t('admin.users.user', { id })}
      isUnsaved={isBalanceTyped || isPasswordTyped}
      onClose={onClose}
    >
      <Loaded query={query} height={320}>
        {(user) => <User user={user} onBalanceTyped={setBalanceTyped} onPasswordTyped={setPasswordTyped} />}
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

interface UserProps {
  user: ListedUser
  onBalanceTyped(isTyped: boolean): void
  onPasswordTyped(isTyped: boolean): void
}

function User({ user, onBalanceTyped, onPasswordTyped }: UserProps) {
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
          <Tabs.Tab value="orders">{t('admin.tabs.orders')}</Tabs.Tab>
          <Allowed to="support.write">
            <Tabs.Tab value="talks">{t('admin.users.talks')}</Tabs.Tab>
          </Allowed>
        </Tabs.List>
        {/* What is typed there outlives a look at the other tabs. */}
        <Tabs.Panel value="account" keepMounted>
          <Stack gap="xl">
            <Allowed to="customers.balance">
              <BalanceForm user={user} onUnsaved={onBalanceTyped} />
            </Allowed>
            {isSelf ? (
              <OwnAccess />
            ) : (
              <Allowed to="customers.write">
                <PasswordForm user={user} onUnsaved={onPasswordTyped} />
                <AccessButtons user={user} />
              </Allowed>
            )}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="ledger">
          <UserLedger userId={String(user.id)} />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <UserOrders userId={String(user.id)} />
        </Tabs.Panel>
        <Tabs.Panel value="talks">
          <UserTalks userId={String(user.id)} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/** Who may do what: the role, and whether the user may come in at all. */
function AccessButtons({ user }: { user: ListedUser }) {
  const { t } = useTranslation()
  const [wish, setWish] = useState<'role' | 'blocked'>()
  const close = () => setWish(undefined)
  const unblock = useAdminAction({
    noun: 'users',
    send: () => setBlocked(user, false),
    done: t('admin.users.unblockedNow'),
  })
  const roleLabel = t(user.role === 'admin' ? 'admin.users.demote' : 'admin.users.promote')
  return (
    <section aria-labelledby="access">
      <Title order={2} size="h4" mb="sm" id="access">
        {t('admin.users.access')}
      </Title>
      <Group>
        <Allowed to="staff.write">
          <Button variant="default" onClick={() => setWish('role')}>
            {roleLabel}
          </Button>
        </Allowed>
        {user.is_blocked ? (
          <Button variant="default" loading={unblock.isPending} onClick={() => unblock.mutate(undefined)}>
            {t('admin.users.unblock')}
          </Button>
        ) : (
          <Button variant="outline" color="red" onClick={() => setWish('blocked')}>
            {t('admin.users.block')}
          </Button>
        )}
      </Group>
      <RefusalAlert text={unblock.refusal} />
      {wish === 'role' && (
        <ActionDialog
          title={`${roleLabel}: ${user.nickname}`}
          name={user.nickname}
          confirmLabel={roleLabel}
          noun="users"
          send={() => setRole(user, user.role === 'admin' ? 'customer' : 'admin')}
          done={t('admin.users.roleSet')}
          onClose={close}
        >
          <Text>{t(user.role === 'admin' ? 'admin.users.demoteText' : 'admin.users.promoteText')}</Text>
        </ActionDialog>
      )}
      {wish === 'blocked' && (
        <ActionDialog
          title={`${t('admin.users.block')}: ${user.nickname}`}
          confirmLabel={t('admin.users.block')}
          noun="users"
          send={() => setBlocked(user, true)}
          done={t('admin.users.blockedNow')}
          onClose={close}
        >
          <Text>{t('admin.users.blockText')}</Text>
        </ActionDialog>
      )}
    </section>
  )
}
