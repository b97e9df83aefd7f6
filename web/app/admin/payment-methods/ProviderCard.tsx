import { Alert, Anchor, Group, Text } from '@mantine/core'
import type { ShopProvider, TriedAccount } from '@olmos/contract/payment-setup'
import { IconCopy } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { copyText } from '../../ui/copy-text.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { RowButton } from '../list/RowButtons.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { CredentialsCard, SettingList } from './CredentialsCard.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { clearAccount, saveAccount, tryAccount } from './payment-methods.queries.ts'
import { TriedText, TryStored, TryTyped, toTriedWord, useTry } from './use-try.tsx'

/** A provider: whether it works, what it has to be told about the shop, and what the shop has to be told about it. */
export function ProviderCard({ provider }: { provider: ShopProvider }) {
  const { t } = useTranslation()
  const asking = useTry('paymentSetup', (settings) => tryAccount(provider, settings))
  const { name, state, refusal, is_in_environment, settings, webhooks } = provider
  return (
    <CredentialsCard
      account={provider}
      name={name}
      translate="no"
      stateText={t(`admin.payMethods.states.${state}`)}
      noun="paymentSetup"
      permission="payments.setup"
      form={(close) => <ProviderForm provider={provider} onClose={close} />}
      clear={() => clearAccount(provider)}
      clearText={t('admin.payMethods.clearText')}
      result={<TriedText asking={asking} toSentences={triedSentences} />}
      buttons={
        state !== 'not_set_up' && (
          <Allowed to="payments.setup">
            <TryStored asking={asking} />
          </Allowed>
        )
      }
    >
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
      {state !== 'not_set_up' && <SettingList settings={settings} />}
      <Webhooks webhooks={webhooks} />
    </CredentialsCard>
  )
}

/** What a provider has to be told about the shop, which can be tried before it is saved. */
function ProviderForm({ provider, onClose }: { provider: ShopProvider; onClose(): void }) {
  const { t } = useTranslation()
  const asking = useTry('paymentSetup', (settings) => tryAccount(provider, settings))
  return (
    <CredentialsForm
      account={provider}
      name={provider.name}
      hint={t('admin.payMethods.accountHint')}
      noun="paymentSetup"
      toLabel={(setting) => t(`admin.payMethods.settings.${setting}`, { defaultValue: setting })}
      save={saveAccount}
      onClose={onClose}
    >
      {(typed) => <TryTyped asking={asking} toSentences={triedSentences} typed={typed} />}
    </CredentialsForm>
  )
}

function triedSentences(t: TFunction, tried: TriedAccount): string[] {
  const { code, is_test, has_receipts } = tried
  return [
    t(`admin.payMethods.tried.${toTriedWord(tried)}`, { code: code ?? '' }),
    ...(is_test === null ? [] : [t(`admin.payMethods.tried.${is_test ? 'test' : 'real'}`)]),
    ...(has_receipts === null ? [] : [t(`admin.payMethods.tried.${has_receipts ? 'receipts' : 'no_receipts'}`)]),
  ]
}

/** The addresses for the cabinet of a provider or a supplier, and the events to tick there. */
export function Webhooks({ webhooks }: Pick<ShopProvider, 'webhooks'>) {
  const { t } = useTranslation()
  if (webhooks.length === 0) return null
  const copy = async (url: string) => {
    if (await copyText(url)) toastSuccess(t('receipt.copied'))
  }
  return (
    <div>
      <Text component="h4" size="sm" fw={700}>
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
