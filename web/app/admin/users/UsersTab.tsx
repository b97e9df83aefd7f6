import { Anchor, Group } from '@mantine/core'
import type { ListedUser } from '@olmos/contract/users'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { FilterSelect } from '../list/FilterSelect.tsx'
import { useChosen } from '../list/use-chosen.ts'
import { UserView } from './UserView.tsx'
import { useUsers } from './users.queries.ts'

export default function UsersTab() {
  const { t } = useTranslation()
  const list = useUsers()
  const [chosen, choose] = useChosen(list.view, 'user')

  const userColumns: Column<ListedUser>[] = [
    {
      title: t('support.nickname'),
      sort: 'nickname',
      isHead: true,
      cell: (user) => (
        <Anchor component="button" fw={600} onClick={() => choose(String(user.id))}>
          {user.nickname}
        </Anchor>
      ),
    },
    { title: t('admin.users.id'), sort: 'id', align: 'right', cell: (user) => user.id },
    { title: t('admin.users.role'), cell: (user) => <UserState user={user} /> },
    columns.money({ title: t('admin.users.usd') }, (user) => [user.balanceUsd, 'USD']),
    columns.money({ title: t('admin.users.rub') }, (user) => [user.balanceRub, 'RUB']),
    columns.when({ title: t('admin.users.since'), sort: 'created_at' }, (user) => user.created_at),
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={userColumns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => choose(String(id))}
        searchLabel={t('admin.users.search')}
        empty={t('admin.users.empty')}
        filters={
          <>
            <FilterSelect
              view={list.view}
              name="role"
              label={t('admin.users.role')}
              options={[
                { value: 'customer', label: t('admin.users.roles.customer') },
                { value: 'admin', label: t('admin.users.roles.admin') },
              ]}
            />
            <FilterSelect
              view={list.view}
              name="blocked"
              label={t('admin.users.access')}
              options={[
                { value: 'false', label: t('admin.users.letIn') },
                { value: 'true', label: t('admin.users.blocked') },
              ]}
            />
          </>
        }
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
