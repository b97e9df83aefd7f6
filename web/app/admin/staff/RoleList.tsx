import { Box, Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import {
  givablePermissions,
  permissionGroups,
  permissions,
  type StaffLimit,
  staffLimits,
} from '@olmos/contract/permissions'
import type { StaffRole } from '@olmos/contract/staff'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButton, RowButtons } from '../list/RowButtons.tsx'
import { Removed } from '../shop/Removed.tsx'
import { Versions } from '../shop/Versions.tsx'
import { type RoleValues, removedRoles, removeRole, roleHistory, saveRole } from './staff.queries.ts'
import { useRoleTitle } from './use-role-title.ts'

const groupNames = Object.keys(permissionGroups) as (keyof typeof permissionGroups)[]

interface Draft {
  /** The role that is changed; none for a new one. */
  role?: StaffRole
  /** What a new one begins with. */
  like?: StaffRole
}

/** Every role with what it allows; the shop's own ones can be changed, and made from any other. */
export function RoleList({ roles }: { roles: readonly StaffRole[] }) {
  const { t } = useTranslation()
  const toTitle = useRoleTitle()
  const [draft, setDraft] = useState<Draft>()
  const [removed, setRemoved] = useState<StaffRole>()
  return (
    <Stack gap="sm">
      <Stack gap="sm" component="ul" p={0} m={0}>
        {roles.map((role) => (
          <Box key={role.id} component="li" aria-label={toTitle(role)} style={{ listStyle: 'none' }}>
            <Surface>
              <Group justify="space-between" align="flex-start">
                <RoleFacts role={role} />
                <Group gap={4} wrap="nowrap">
                  <RowButtons
                    name={toTitle(role)}
                    {...(role.built_in !== 'owner' && { onEdit: () => setDraft({ role }) })}
                    {...(!role.built_in && { onRemove: () => setRemoved(role) })}
                  >
                    {role.built_in !== 'owner' && <Versions history={roleHistory(role)} name={toTitle(role)} />}
                    <RowButton
                      icon={IconCopy}
                      label={t('admin.staff.copyRole', { name: toTitle(role) })}
                      onClick={() => setDraft({ like: role })}
                    />
                  </RowButtons>
                </Group>
              </Group>
            </Surface>
          </Box>
        ))}
      </Stack>
      <Group>
        <Button leftSection={<IconPlus size={18} />} onClick={() => setDraft({})}>
          {t('admin.staff.newRole')}
        </Button>
        <Removed bin={removedRoles} />
      </Group>
      {draft && <RoleForm {...draft} onClose={() => setDraft(undefined)} />}
      {removed && (
        <ActionDialog
          title={t('admin.staff.removeRole', { name: toTitle(removed) })}
          noun="staff"
          send={() => removeRole(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t('admin.staff.removeRoleText')}</Text>
        </ActionDialog>
      )}
    </Stack>
  )
}

function RoleFacts({ role }: { role: StaffRole }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const toTitle = useRoleTitle()
  const amount = (limit: StaffLimit, currency: Currency) => {
    const value = role.limits[limit]
    return value === null ? t('admin.staff.noLimit') : formatAmount(value, currency, language)
  }
  const pair = (once: StaffLimit, daily: StaffLimit, currency: Currency) =>
    t('admin.staff.limitPair', { once: amount(once, currency), daily: amount(daily, currency) })
  const givesMoney = role.permissions.some((one) => one === 'orders.refund' || one === 'customers.balance')
  const isLimited = staffLimits.some((limit) => role.limits[limit] !== null)
  const isAll = role.permissions.length === permissions.length
  const kind = t(role.built_in ? 'admin.staff.builtIn' : 'admin.staff.ownRole')
  return (
    <Stack gap={4} flex="1 1 16rem">
      <Text component="h2" fw={700}>
        {toTitle(role)}
      </Text>
      <Text size="sm" c="dimmed">
        {[kind, t('admin.staff.peopleCount', { count: role.people })].join(' · ')}
      </Text>
      {isAll ? <Text size="sm">{t('admin.staff.everything')}</Text> : <Permissions role={role} />}
      {givesMoney && (
        <Text size="sm">
          {t('admin.staff.limits')}:{' '}
          {isLimited
            ? [pair('rub_once', 'rub_daily', 'RUB'), pair('usd_once', 'usd_daily', 'USD')].join('; ')
            : t('admin.staff.noLimit')}
        </Text>
      )}
    </Stack>
  )
}

/** What a role allows, group by group. */
function Permissions({ role }: { role: StaffRole }) {
  const { t } = useTranslation()
  const groups = groupNames
    .map((group) => ({ group, given: permissionGroups[group].filter((one) => role.permissions.includes(one)) }))
    .filter(({ given }) => given.length > 0)
  return groups.map(({ group, given }) => (
    <Text key={group} size="sm">
      <Text span inherit c="dimmed">
        {t(`admin.staff.groups.${group}`)}:
      </Text>{' '}
      {given.map((one) => t(`admin.staff.may.${one}`)).join('; ')}
    </Text>
  ))
}

function RoleForm({ role, like, onClose }: Draft & { onClose(): void }) {
  const { t } = useTranslation()
  const may = useMay()
  const toTitle = useRoleTitle()
  const toValues = (row: StaffRole | undefined): RoleValues => {
    const source = row ?? like
    const limits = {} as RoleValues['limits']
    for (const limit of staffLimits) limits[limit] = source ? (source.limits[limit] ?? '') : 0
    return {
      name: row?.name ?? (like ? t('admin.staff.copyOf', { name: toTitle(like) }) : ''),
      permissions: (source?.permissions ?? []).filter((one) => row?.built_in || givablePermissions.includes(one)),
      limits,
    }
  }
  const { form, ...saving } = useAdminForm<RoleValues, StaffRole>({
    noun: 'staff',
    row: role,
    toValues,
    send: (values, version) => saveRole(role, values, version),
    onSaved: onClose,
  })
  const isFixed = role?.built_in != null
  const limitLabel = (limit: StaffLimit) => t(`admin.staff.${limit}`)
  const labels = {
    name: t('admin.staff.name'),
    permissions: t('admin.staff.permissions'),
    ...Object.fromEntries(staffLimits.map((limit) => [`limits.${limit}`, limitLabel(limit)])),
  }
  return (
    <FormDrawer
      title={role ? t('admin.staff.editRole', { name: toTitle(role) }) : t('admin.staff.newRole')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      {isFixed ? (
        <Text>{t('admin.staff.fixedPermissions')}</Text>
      ) : (
        <TextInput
          label={labels.name}
          required
          maxLength={LIMITS.roleNameMax}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      {!isFixed && (
        <Checkbox.Group label={labels.permissions} {...form.getInputProps('permissions')}>
          <Stack gap="md" mt="xs">
            {groupNames.map((group) => (
              <Fieldset key={group} legend={t(`admin.staff.groups.${group}`)}>
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                  {permissionGroups[group]
                    .filter((one) => givablePermissions.includes(one))
                    .map((one) => (
                      <Checkbox key={one} value={one} label={t(`admin.staff.may.${one}`)} disabled={!may(one)} />
                    ))}
                </SimpleGrid>
              </Fieldset>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Fieldset legend={t('admin.staff.limits')}>
        <Text size="sm" c="dimmed" mb="xs">
          {t('admin.staff.limitsHint')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {staffLimits.map((limit) => (
            <MoneyInput
              key={limit}
              label={limitLabel(limit)}
              min={0}
              max={LIMITS.amountMax / 100}
              {...form.getInputProps(`limits.${limit}`)}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </FormDrawer>
  )
}
