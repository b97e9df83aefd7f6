import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ChannelState, ShopChannel } from '@olmos/contract/messages'
import { IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButton } from '../list/RowButtons.tsx'
import { SettingList } from '../payment-methods/ProviderCard.tsx'
import { AccountFields, toSettingValues } from '../payment-methods/ProviderForm.tsx'
import { type ProviderValues, typableSettings } from '../payment-methods/payment-methods.queries.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { clearChannel, saveChannel } from './messages.queries.ts'

const tones = { on: 'good', incomplete: 'bad', not_set_up: 'wait' } as const satisfies Record<ChannelState, string>

/** A channel: whether it is set up, and with what. */
export function ChannelCard({ channel }: { channel: ShopChannel }) {
  const { t } = useTranslation()
  const [isEditing, setIsEditing] = useState(false)
  const [isClearing, setIsClearing] = useState(false)
  const { state, is_in_environment, changed_at, changed_by } = channel
  const name = t(`admin.messages.channel.${channel.name}`)
  const isTyped = !is_in_environment && changed_at !== null && state !== 'not_set_up'
  return (
    <section aria-label={name}>
      <Surface p="lg">
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={3} size="h4">
              {name}
            </Title>
            <StatusBadge tone={tones[state]} text={t(`admin.messages.channelStates.${state}`)} />
          </Group>
          <Text size="sm">{t(`admin.messages.howTo.${channel.name}`)}</Text>
          {is_in_environment && <Text size="sm">{t('admin.payMethods.inEnvironment')}</Text>}
          {state !== 'not_set_up' && <SettingList settings={channel.settings} />}
          {isTyped && (
            <Text size="sm" c="dimmed">
              {changed_by} · <Moment at={changed_at} />
            </Text>
          )}
          <Group gap="sm">
            {typableSettings(channel).length > 0 && (
              <Allowed to="messages.write">
                <Button
                  variant={state === 'not_set_up' ? 'filled' : 'default'}
                  leftSection={<IconSettings size={18} />}
                  onClick={() => setIsEditing(true)}
                >
                  {t(state === 'not_set_up' ? 'admin.payMethods.setUp' : 'admin.payMethods.change')}
                </Button>
              </Allowed>
            )}
            {isTyped && (
              <Allowed to="messages.write">
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
      {isEditing && <ChannelForm channel={channel} name={name} onClose={() => setIsEditing(false)} />}
      {isClearing && (
        <ActionDialog
          title={t('admin.payMethods.clear', { name })}
          confirmLabel={t('admin.payMethods.clearIt')}
          noun="messages"
          send={() => clearChannel(channel)}
          done={t('admin.payMethods.cleared')}
          onClose={() => setIsClearing(false)}
        >
          <Text>{t('admin.messages.clearText')}</Text>
        </ActionDialog>
      )}
    </section>
  )
}

interface ChannelFormProps {
  channel: ShopChannel
  name: string
  onClose(): void
}

/** What a channel has to be told. A secret is written and never read. */
function ChannelForm({ channel, name, onClose }: ChannelFormProps) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<ProviderValues, ShopChannel>({
    noun: 'messages',
    row: channel,
    toValues: toSettingValues,
    send: (values, version) => saveChannel(channel, values, version),
    onSaved: onClose,
  })
  const settings = typableSettings(channel)
  const toLabel = (setting: string) => t(`admin.messages.settings.${setting}`, { defaultValue: setting })
  const labels = {
    changed_at: t('admin.payMethods.changed'),
    ...Object.fromEntries(settings.map((setting) => [`settings.${setting.name}`, toLabel(setting.name)])),
  }
  return (
    <FormDrawer
      title={t('admin.payMethods.accountOf', { name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <Text size="sm" c="dimmed">
        {t('admin.messages.accountHint')}
      </Text>
      <AccountFields settings={settings} toLabel={toLabel} form={form} />
    </FormDrawer>
  )
}
