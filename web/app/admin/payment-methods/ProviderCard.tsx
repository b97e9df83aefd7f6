import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import type { ProviderSetting, ProviderState, ShopProvider } from '@olmos/contract/payment-setup'
import { IconCopy, IconPlugConnected, IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { copyText } from '../../ui/copy-text.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { clearAccount, typableSettings } from './payment-methods.queries.ts'
import { TriedText, useTry } from './use-try.tsx'

const tones = {
  on: 'good',
  off: 'wait',
  refused: 'bad',
  incomplete: 'bad',
  not_set_up: 'wait',
} as const satisfies Record<ProviderState, 'good' | 'wait' | 'bad'>

/** A provider: whether it works, what it has to be told about the shop, and what the shop has to be told about it. */
export function ProviderCard({ provider }: { provider: ShopProvider }) {
  const { t } = useTranslation()
  const [isEditing, setIsEditing] = useState(false)
  const [isClearing, setIsClearing] = useState(false)
  const asking = useTry(provider)
  const { name, state, refusal, is_in_environment, changed_at, changed_by } = provider
  const isTyped = !is_in_environment && changed_at !== null && state !== 'not_set_up'
  return (
    <section aria-label={name}>
      <Surface p="lg">
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={3} size="h4" translate="no">
              {name}
            </Title>
            <StatusBadge tone={tones[state]} text={t(`admin.payMethods.states.${state}`)} />
          </Group>
          {is_in_environment && <Text size="sm">{t('admin.payMethods.inEnvironment')}</Text>}
          {refusal && (
            <Alert color="red" title={t('admin.payMethods.refusing')}>
              <Text size="sm">
                {[refusal.reason, refusal.parameter].filter(Boolean).join(': ')} <Moment at={refusal.since} />
              </Text>
              <Anchor component={Link} to={paths.admin('alerts')} size="sm">
                {t('admin.tabs.alerts')}
              </Anchor>
            </Alert>
          )}
          {state !== 'not_set_up' && <SettingList settings={provider.settings} />}
          <Webhooks webhooks={provider.webhooks} />
          {isTyped && (
            <Text size="sm" c="dimmed">
              {changed_by} · <Moment at={changed_at} />
            </Text>
          )}
          <TriedText asking={asking} />
          <Group gap="sm">
            {typableSettings(provider).length > 0 && (
              <Allowed to="payments.setup">
                <Button
                  variant={state === 'not_set_up' ? 'filled' : 'default'}
                  leftSection={<IconSettings size={18} />}
                  onClick={() => setIsEditing(true)}
                >
                  {t(state === 'not_set_up' ? 'admin.payMethods.setUp' : 'admin.payMethods.change')}
                </Button>
              </Allowed>
            )}
            {state !== 'not_set_up' && (
              <Allowed to="payments.setup">
                <Button
                  variant="default"
                  leftSection={<IconPlugConnected size={18} />}
                  loading={asking.isPending}
                  onClick={() => asking.mutate({})}
                >
                  {t('admin.payMethods.try')}
                </Button>
              </Allowed>
            )}
            {isTyped && (
              <Allowed to="payments.setup">
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
      {isEditing && <ProviderForm provider={provider} onClose={() => setIsEditing(false)} />}
      {isClearing && (
        <ActionDialog
          title={t('admin.payMethods.clear', { name })}
          confirmLabel={t('admin.payMethods.clearIt')}
          noun="paymentSetup"
          send={() => clearAccount(provider)}
          done={t('admin.payMethods.cleared')}
          onClose={() => setIsClearing(false)}
        >
          <Text>{t('admin.payMethods.clearText')}</Text>
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

/** The addresses for the provider's cabinet, and the events to tick there. */
function Webhooks({ webhooks }: Pick<ShopProvider, 'webhooks'>) {
  const { t } = useTranslation()
  if (webhooks.length === 0) return null
  const copy = async (url: string) => {
    if (await copyText(url)) toastSuccess(t('receipt.copied'))
  }
  return (
    <div>
      <Text size="sm" fw={700}>
        {t('admin.payMethods.webhooks')}
      </Text>
      {webhooks.map(({ url, events }) => (
        <div key={url}>
          <Group gap={4} wrap="nowrap">
            <Text size="sm" translate="no" style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Text>
            <RowButton icon={IconCopy} label={t('admin.payMethods.copy', { url })} onClick={() => copy(url)} />
          </Group>
          {events.length > 0 && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('admin.payMethods.events')} <span translate="no">{events.join(', ')}</span>
            </Text>
          )}
        </div>
      ))}
    </div>
  )
}
