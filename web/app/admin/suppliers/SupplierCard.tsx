import { Alert, Anchor, Switch, Text } from '@mantine/core'
import type { SupplierHealth } from '@olmos/contract/deliveries'
import type { ShopSupplier, TriedSupplier } from '@olmos/contract/supplier-setup'
import type { TFunction } from 'i18next'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useReasonText } from '../deliveries/use-reason-text.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { RowButtons } from '../list/RowButtons.tsx'
import { CredentialsCard, SettingList } from '../payment-methods/CredentialsCard.tsx'
import { CredentialsForm } from '../payment-methods/CredentialsForm.tsx'
import { Webhooks } from '../payment-methods/ProviderCard.tsx'
import { TriedText, TryStored, TryTyped, toTriedWord, useTry } from '../payment-methods/use-try.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { cataloguePath, useSyncs } from '../sourcing/sourcing.queries.ts'
import { clearSupplier, saveSupplier, switchSupplier, trySupplier } from './suppliers.queries.ts'

interface SupplierCardProps {
  supplier: ShopSupplier
  /** None for one that is off. */
  health: SupplierHealth | undefined
  place: ComponentProps<typeof RowButtons>['place']
}

/** A supplier: how it is, whether it is asked and when, and what it has to be told about the shop. */
export function SupplierCard({ supplier, health, place }: SupplierCardProps) {
  const { t } = useTranslation()
  const asking = useTry('suppliers', (settings) => trySupplier(supplier, settings))
  const turn = useAdminAction({
    noun: 'suppliers',
    send: (isOn: boolean) => switchSupplier(supplier, isOn),
    done: t('admin.form.saved'),
    isRefusalToasted: true,
  })
  const { name, state, is_on, is_in_environment, refused_since, settings, webhooks } = supplier
  const isOut = health?.state === 'out'
  const isSetUp = is_on || state === 'off'
  const stateText =
    state === 'on' ? t(`admin.suppliers.${isOut ? 'out' : 'in'}`) : t(`admin.payMethods.states.${state}`)
  return (
    <CredentialsCard
      account={supplier}
      name={name}
      translate="no"
      stateText={stateText}
      tone={isOut ? 'bad' : undefined}
      noun="suppliers"
      permission="suppliers.setup"
      form={(close) => <SupplierForm supplier={supplier} onClose={close} />}
      clear={() => clearSupplier(supplier)}
      clearText={t('admin.suppliers.clearText')}
      result={<TriedText asking={asking} toSentences={triedSentences} />}
      buttons={
        isSetUp && (
          <>
            {settings.length > 0 && (
              <Allowed to="suppliers.setup">
                <TryStored asking={asking} />
              </Allowed>
            )}
            <Allowed to="suppliers.setup">
              <Switch
                label={t('admin.suppliers.on')}
                aria-label={t('admin.suppliers.onOf', { name })}
                // Optimistic: rolled back when it is refused.
                checked={turn.isPending ? turn.variables : is_on}
                onChange={(event) => turn.mutate(event.currentTarget.checked)}
              />
            </Allowed>
            {place && (
              <Allowed to="suppliers.setup">
                <RowButtons name={name} place={place} />
              </Allowed>
            )}
          </>
        )
      }
    >
      {is_in_environment && <Text size="sm">{t('admin.payMethods.inEnvironment')}</Text>}
      {name === 'manual' && <Text size="sm">{t('admin.suppliers.manual')}</Text>}
      {refused_since && (
        <Alert color="red" title={t('admin.suppliers.refusing')}>
          <Text size="sm">
            <Moment at={refused_since} />
          </Text>
          <Anchor component={Link} to={paths.admin('alerts')} size="sm">
            {t('admin.tabs.alerts')}
          </Anchor>
        </Alert>
      )}
      {health && <Health health={health} />}
      {state !== 'not_set_up' && <SettingList settings={settings} />}
      <Webhooks webhooks={webhooks} />
    </CredentialsCard>
  )
}

/** What a supplier sells and last said, and what the shop has left there. */
function Health({ health }: { health: SupplierHealth }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const hasCatalogue = useSyncs().data?.some((sync) => sync.supplier === health.name)
  return (
    <>
      <Text size="sm" c="dimmed">
        {health.sells.join(', ')}
      </Text>
      {health.state === 'out' && health.out_until && (
        <Text size="sm">
          {t('admin.suppliers.until')} <Moment at={health.out_until} />
        </Text>
      )}
      {health.balance !== null && (
        <Text component="div" fw={700} c={health.is_balance_low ? 'var(--olmos-bad)' : undefined}>
          {t('admin.suppliers.balance')} {gameNumber(health.balance)} {health.balance_currency}
        </Text>
      )}
      {health.failures > 0 && (
        <Text size="sm" c="var(--olmos-wait)">
          {t('admin.suppliers.failures', { count: health.failures })}
        </Text>
      )}
      {health.last_answer_at && (
        <Text size="sm" c="dimmed">
          {t('admin.suppliers.answered')} <Ago at={health.last_answer_at} />
        </Text>
      )}
      {health.last_error && health.last_error_at && (
        <Text size="sm" c="dimmed">
          {t('admin.suppliers.error')} <Ago at={health.last_error_at} />: {reasonText(health.last_error)}
        </Text>
      )}
      {hasCatalogue && (
        <Anchor component={Link} to={cataloguePath(health.name)}>
          {t('admin.sourcing.catalogueOf', { name: health.name })}
        </Anchor>
      )}
    </>
  )
}

/** What a supplier has to be told about the shop, which can be tried before it is saved. */
function SupplierForm({ supplier, onClose }: { supplier: ShopSupplier; onClose(): void }) {
  const { t } = useTranslation()
  const asking = useTry('suppliers', (settings) => trySupplier(supplier, settings))
  return (
    <CredentialsForm
      account={supplier}
      name={supplier.name}
      hint={t('admin.suppliers.accountHint')}
      noun="suppliers"
      toLabel={(setting) => t(`admin.suppliers.settings.${setting}`, { defaultValue: setting })}
      save={saveSupplier}
      onClose={onClose}
    >
      {(typed) => <TryTyped asking={asking} toSentences={triedSentences} typed={typed} />}
    </CredentialsForm>
  )
}

function triedSentences(t: TFunction, tried: TriedSupplier): string[] {
  const { code, balance, balance_currency } = tried
  const left = balance === null ? [] : [`${t('admin.suppliers.balance')} ${gameNumber(balance)} ${balance_currency}`]
  return [t(`admin.suppliers.tried.${toTriedWord(tried)}`, { code: code ?? '' }), ...left]
}
