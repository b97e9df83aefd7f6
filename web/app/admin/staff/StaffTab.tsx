import { Button, Group, NativeSelect, Stack, Tabs, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { StaffMember, StaffRole } from '@olmos/contract/staff'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Ago } from '../../i18n/Ago.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useProfile } from '../../session/profile.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { MemberView } from './MemberView.tsx'
import { RoleList } from './RoleList.tsx'
import { addStaff, useRoles, useStaff } from './staff.queries.ts'
import { useRoleTitle } from './use-role-title.ts'

/** Who works here, and what each role allows. */
export default function StaffTab() {
  const { t } = useTranslation()
  const roles = useRoles()
  return (
    <Loaded query={roles} height={320}>
      {(all) => (
        <Tabs defaultValue="people" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="people">{t('admin.staff.people')}</Tabs.Tab>
            <Tabs.Tab value="roles">{t('admin.staff.rolesTitle')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="people">
            <People roles={all} />
          </Tabs.Panel>
          <Tabs.Panel value="roles">
            <RoleList roles={all} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Loaded>
  )
}

function People({ roles }: { roles: readonly StaffRole[] }) {
  const { t } = useTranslation()
  const list = useStaff()
  const toTitle = useRoleTitle()
  const ownId = useProfile().data?.id
  const [openedId, setOpened] = useState<number>()
  const [isAdding, setAdding] = useState(false)
  const opened = list.query.data?.data.find(({ id }) => id === openedId)
  const open = (member: StaffMember) => setOpened(member.id)

  const memberColumns: Column<StaffMember>[] = [
    {
      title: t('login.nickname'),
      sort: 'nickname',
      isHead: true,
      cell: (member) => (
        <Group gap="xs">
          <Text fw={600}>{member.nickname}</Text>
          {member.id === ownId && <Text c="dimmed">({t('admin.staff.you')})</Text>}
          {member.is_blocked && <StatusBadge tone="bad" text={t('admin.staff.blocked')} />}
        </Group>
      ),
    },
    { title: t('admin.staff.role'), cell: (member) => toTitle(member.staff_role) },
    {
      title: t('admin.staff.lastSeen'),
      sort: 'last_seen_at',
      cell: ({ last_seen_at: at }) => (at ? <Ago at={at} /> : t('admin.staff.neverSeen')),
    },
    {
      title: t('admin.staff.secondFactor'),
      cell: ({ has_second_factor: isOn }) => (
        <StatusBadge tone={isOn ? 'good' : 'wait'} text={t(isOn ? 'admin.staff.on' : 'admin.staff.off')} />
      ),
    },
    { title: t('admin.staff.sessions'), align: 'right', cell: ({ sessions }) => sessions },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={memberColumns}
        onOpen={open}
        searchLabel={t('admin.staff.search')}
        empty={t('admin.staff.empty')}
        selects={[
          {
            name: 'roleId',
            label: t('admin.staff.role'),
            options: roles.map((role) => ({ value: String(role.id), label: toTitle(role) })),
          },
        ]}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
            {t('admin.staff.add')}
          </Button>
        }
        actions={(member) => <RowButtons name={member.nickname} onEdit={() => open(member)} />}
      />
      {opened && <MemberView member={opened} roles={roles} onClose={() => setOpened(undefined)} />}
      {isAdding && <AddForm roles={roles} onClose={() => setAdding(false)} />}
    </>
  )
}

interface NewcomerValues extends Record<string, unknown> {
  nickname: string
  role_id: string
}

/** Makes a customer one of the staff. */
function AddForm({ roles, onClose }: { roles: readonly StaffRole[]; onClose(): void }) {
  const { t } = useTranslation()
  const toTitle = useRoleTitle()
  const usual = roles.find(({ built_in }) => built_in === 'support') ?? roles.at(-1)
  const { form, ...saving } = useAdminForm<NewcomerValues, StaffMember>({
    noun: 'staff',
    row: undefined,
    toValues: () => ({ nickname: '', role_id: String(usual?.id ?? '') }),
    send: ({ nickname, role_id }) => addStaff(nickname.trim(), Number(role_id)),
    done: t('admin.form.saved'),
    onSaved: onClose,
  })
  const labels = { nickname: t('login.nickname'), role_id: t('admin.staff.role') }
  return (
    <FormDrawer title={t('admin.staff.add')} onClose={onClose} form={{ form, ...saving }} labels={labels}>
      <Stack>
        <TextInput
          label={labels.nickname}
          description={t('admin.staff.addHint')}
          required
          maxLength={LIMITS.nicknameMax}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('nickname')}
        />
        <NativeSelect
          label={labels.role_id}
          data={roles.map((role) => ({ value: String(role.id), label: toTitle(role) }))}
          {...form.getInputProps('role_id')}
        />
      </Stack>
    </FormDrawer>
  )
}
