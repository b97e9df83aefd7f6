import { Text } from '@mantine/core'
import type { ShopChannel } from '@olmos/contract/messages'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { CredentialsCard, SettingList } from '../payment-methods/CredentialsCard.tsx'
import { CredentialsForm } from '../payment-methods/CredentialsForm.tsx'
import { ReadOnly } from '../shell/Allowed.tsx'
import { clearChannel, saveChannel } from './messages.queries.ts'

/** A channel: whether it is set up, and with what. */
export function ChannelCard({ channel }: { channel: ShopChannel }) {
  const { t } = useTranslation()
  const may = useMay()
  const { state, is_in_environment, settings } = channel
  const name = t(`admin.messages.channel.${channel.name}`)
  // The store asks for both.
  const permission = may('messages.write') ? 'payments.setup' : 'messages.write'
  return (
    <CredentialsCard
      account={channel}
      name={name}
      stateText={t(`admin.messages.channelStates.${state}`)}
      noun="messages"
      permission={permission}
      clear={() => clearChannel(channel)}
      clearText={t('admin.messages.clearText')}
      form={(close) => (
        <CredentialsForm
          account={channel}
          name={name}
          hint={t('admin.messages.accountHint')}
          noun="messages"
          toLabel={(setting) => t(`admin.messages.settings.${setting}`, { defaultValue: setting })}
          save={saveChannel}
          onClose={close}
        />
      )}
    >
      <Text size="sm">{t(`admin.messages.howTo.${channel.name}`)}</Text>
      {is_in_environment && <Text size="sm">{t('admin.payMethods.inEnvironment')}</Text>}
      {state !== 'not_set_up' && <SettingList settings={settings} />}
      {!may(permission) && <ReadOnly to={permission} />}
    </CredentialsCard>
  )
}
