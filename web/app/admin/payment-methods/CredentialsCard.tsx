import { Button, Group, List, Stack, Text, Title } from '@mantine/core'
import type { ProviderSetting, ProviderState } from '@olmos/contract/payment-setup'
import type { Permission } from '@olmos/contract/permissions'
import { IconSettings, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AdminNoun } from '../../api/query-keys.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { type SetUp, typableSettings } from './payment-methods.queries.ts'

const tones = {
  on: 'good',
  off: 'wait',
  refused: 'bad',
  incomplete: 'bad',
  not_set_up: 'wait',
} as const satisfies Record<ProviderState, 'good' | 'wait' | 'bad'>

interface CredentialsCardProps {
  account: SetUp & { state: ProviderState; changed_by: string | null }
  name: string
  /** Set for a name that is the same in every language. */
  translate?: 'no'
  stateText: string
  /** Set where something else than its account tells how it is. */
  tone?: 'good' | 'wait' | 'bad' | undefined
  noun: AdminNoun
  /** What it takes to change the account. */
  permission: Permission
  form(close: () => void): ReactNode
  clear(): Promise<unknown>
  /** What it means that the account is cleared. */
  clearText: string
  /** Further buttons, and what came of them. */
  buttons?: ReactNode
  result?: ReactNode
  /** What there is to say of the account. */
  children: ReactNode
}

/** An account at a provider or a channel: whether it is set up, with what and by whom, and the ways to change and clear it. */
export function CredentialsCard({
  account,
  name,
  translate,
  stateText,
  tone,
  noun,
  permission,
  ...props
}: CredentialsCardProps) {
  const { t } = useTranslation()
  const [isEditing, setIsEditing] = useState(false)
  const [isClearing, setIsClearing] = useState(false)
  const { state, changed_at, changed_by } = account
  const isSetUp = state !== 'not_set_up'
  const isTypable = typableSettings(account).length > 0
  const isTyped = isTypable && changed_at !== null && isSetUp
  return (
    <section aria-label={name}>
      <Surface p="lg">
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={3} size="h4" translate={translate}>
              {name}
            </Title>
            <StatusBadge tone={tone ?? tones[state]} text={stateText} />
          </Group>
          {props.children}
          {isTyped && (
            <Text size="sm" c="dimmed">
              {changed_by} · <Moment at={changed_at} />
            </Text>
          )}
          {props.result}
          <Group gap="sm">
            {isTypable && (
              <Allowed to={permission}>
                <Button
                  variant={isSetUp ? 'default' : 'filled'}
                  leftSection={<IconSettings size={18} />}
                  onClick={() => setIsEditing(true)}
                >
                  {t(isSetUp ? 'admin.payMethods.change' : 'admin.payMethods.setUp')}
                </Button>
              </Allowed>
            )}
            {props.buttons}
            {isTyped && (
              <Allowed to={permission}>
                <RowButton
                  icon={IconTrash}
                  color="red"
                  label={t('admin.payMethods.clear', { name })}
                  onClick={() => setIsClearing(true)}
                />
              </Allowed>
            )}
          </Group>
        </Stack>
      </Surface>
      {isEditing && props.form(() => setIsEditing(false))}
      {isClearing && (
        <ActionDialog
          title={t('admin.payMethods.clear', { name })}
          confirmLabel={t('admin.payMethods.clearIt')}
          noun={noun}
          send={props.clear}
          done={t('admin.payMethods.cleared')}
          onClose={() => setIsClearing(false)}
        >
          <Text>{props.clearText}</Text>
        </ActionDialog>
      )}
    </section>
  )
}

/** What is set, and where; addresses of machines are listed only where they are not the provider's own. */
export function SettingList({ settings }: { settings: readonly ProviderSetting[] }) {
  const { t } = useTranslation()
  const listed = settings.filter(
    ({ use, origin }) => origin !== 'default' && (use !== 'environment' || origin === 'environment'),
  )
  if (listed.length === 0) return null
  return (
    <List size="sm" listStyleType="none" spacing={4}>
      {listed.map(({ name, origin, value }) => (
        <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit translate="no" fw={700}>
            {name}
          </Text>
          :{' '}
          {value === null
            ? t(`admin.payMethods.origins.${origin}`)
            : `${value}, ${t(`admin.payMethods.origins.${origin}`)}`}
        </List.Item>
      ))}
    </List>
  )
}
