import { Box, Group, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import type { ShopMethod } from '@olmos/contract/payment-setup'
import { type ComponentProps, useState } from 'react'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { DecimalInput, MoneyInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButtons } from '../list/RowButtons.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { Versions } from '../shop/Versions.tsx'
import { type MethodValues, methodHistory, moveMethod, saveMethod, switchMethod } from './payment-methods.queries.ts'

/** The ways to pay, in the order in which customers see them. */
export function MethodList({ methods }: { methods: readonly ShopMethod[] }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<ShopMethod>()
  const move = useAdminAction({
    noun: 'paymentSetup',
    send: ({ from, to }: { from: number; to: number }) => moveMethod(methods, from, to),
    done: t('admin.form.saved'),
    isRefusalToasted: true,
  })
  return (
    <Stack gap="sm" component="ol" p={0} m={0}>
      {methods.map((method, index) => (
        <MethodRow
          key={method.name}
          method={method}
          place={{ index, count: methods.length, onMove: (to) => move.mutate({ from: index, to }) }}
          onEdit={() => setEdited(method)}
        />
      ))}
      {edited && <MethodForm key={edited.name} method={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

/** Names a method as customers read it. */
function useMethodTitle(): (method: ShopMethod) => string {
  const { t } = useTranslation()
  const language = useLanguage()
  return ({ titles, mark }) => titles[language] || t(`payMark.${mark}`)
}

interface MethodRowProps {
  method: ShopMethod
  place: ComponentProps<typeof RowButtons>['place']
  onEdit(): void
}

function MethodRow({ method, place, onEdit }: MethodRowProps) {
  const { t } = useTranslation()
  const name = useMethodTitle()(method)
  const turn = useAdminAction({
    noun: 'paymentSetup',
    send: (isOn: boolean) => switchMethod(method, isOn),
    done: t('admin.form.saved'),
    isRefusalToasted: true,
  })
  return (
    <Box component="li" aria-label={name} style={{ listStyle: 'none' }}>
      <Surface>
        <Group justify="space-between" gap="sm">
          <div>
            <Text component="h3" fw={700}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              <span translate="no">{method.provider}</span> · {method.charge_currencies.join(', ')}
            </Text>
            <Limits currency="USD" least={method.least_usd} most={method.most_usd} />
            <Limits currency="RUB" least={method.least_rub} most={method.most_rub} />
            <Fee method={method} />
          </div>
          <Group gap="xs">
            <Allowed to="payments.setup">
              <Switch
                label={t('admin.payMethods.on')}
                aria-label={t('admin.payMethods.onOf', { name })}
                // Optimistic: rolled back when it is refused.
                checked={turn.isPending ? turn.variables : method.is_on}
                onChange={(event) => turn.mutate(event.currentTarget.checked)}
              />
            </Allowed>
            <Group gap="xs" wrap="nowrap">
              <Versions history={methodHistory(method)} name={name} />
              <Allowed to="payments.setup">
                <RowButtons name={name} place={place} onEdit={onEdit} />
              </Allowed>
            </Group>
          </Group>
        </Group>
      </Surface>
    </Box>
  )
}

interface LimitsProps {
  currency: Currency
  least: number | null
  most: number | null
}

function Limits({ currency, least, most }: LimitsProps) {
  const { t } = useTranslation()
  if (least === null && most === null) return null
  return (
    <Text size="sm">
      {least !== null && (
        <>
          {t('admin.payMethods.from')} <Amount value={least} currency={currency} />{' '}
        </>
      )}
      {most !== null && (
        <>
          {t('admin.payMethods.upTo')} <Amount value={most} currency={currency} />
        </>
      )}
    </Text>
  )
}

/** What the way to pay costs, and who pays that; nothing where nobody typed anything. */
function Fee({ method: { fee_percent, fee_usd, fee_rub, fee_bearer } }: { method: ShopMethod }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const parts = [
    fee_percent > 0 && `${fee_percent.toLocaleString(language)} %`,
    fee_usd > 0 && formatAmount(fee_usd, 'USD', language),
    fee_rub > 0 && formatAmount(fee_rub, 'RUB', language),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return <Text size="sm">{t(`admin.payMethods.feeBy.${fee_bearer}`, { fee: parts.join(' + ') })}</Text>
}

const toValues = (method: ShopMethod | undefined): MethodValues => ({
  titles: { ru: method?.titles.ru ?? '', en: method?.titles.en ?? '', uz: method?.titles.uz ?? '' },
  least_usd: method?.least_usd ?? '',
  least_rub: method?.least_rub ?? '',
  most_usd: method?.most_usd ?? '',
  most_rub: method?.most_rub ?? '',
  fee_percent: method?.fee_percent ?? 0,
  fee_usd: method?.fee_usd ?? 0,
  fee_rub: method?.fee_rub ?? 0,
  is_fee_added: method?.fee_bearer === 'customer',
  is_fee_refunded: method?.is_fee_refunded ?? false,
})

function MethodForm({ method, onClose }: { method: ShopMethod; onClose(): void }) {
  const { t } = useTranslation()
  const name = useMethodTitle()(method)
  const { form, ...saving } = useAdminForm<MethodValues, ShopMethod>({
    noun: 'paymentSetup',
    row: method,
    toValues,
    send: (values, version) => saveMethod(method, values, version),
    onSaved: onClose,
  })
  const title = (language: keyof MethodValues['titles']) =>
    t('admin.payMethods.titleIn', { language: languageNames[language] })
  const labels = {
    'titles.ru': title('ru'),
    'titles.en': title('en'),
    'titles.uz': title('uz'),
    least_usd: t('admin.payMethods.leastUsd'),
    least_rub: t('admin.payMethods.leastRub'),
    most_usd: t('admin.payMethods.mostUsd'),
    most_rub: t('admin.payMethods.mostRub'),
    fee_percent: t('admin.payMethods.feePercent'),
    fee_usd: t('admin.payMethods.feeUsd'),
    fee_rub: t('admin.payMethods.feeRub'),
    is_fee_added: t('admin.payMethods.feeAdded'),
    is_fee_refunded: t('admin.payMethods.feeRefunded'),
  }
  const money = { max: LIMITS.amountMax / 100 }
  return (
    <FormDrawer
      title={t('admin.list.edit', { name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
      read={Object.fromEntries(
        ['least_usd', 'least_rub', 'most_usd', 'most_rub'].map((field) => [field, (value: unknown) => String(value)]),
      )}
    >
      <Text size="sm" c="dimmed">
        {t('admin.payMethods.titlesHint')}
      </Text>
      {shownLanguages.map((language) => (
        <TextInput
          key={language}
          label={labels[`titles.${language}`]}
          placeholder={t(`payMark.${method.mark}`)}
          maxLength={LIMITS.methodTitleMax}
          {...form.getInputProps(`titles.${language}`)}
        />
      ))}
      <Text size="sm" c="dimmed">
        {t('admin.payMethods.limitsHint')}
      </Text>
      <SimpleGrid cols={2}>
        <MoneyInput currency="USD" label={labels.least_usd} {...money} {...form.getInputProps('least_usd')} />
        <MoneyInput currency="USD" label={labels.most_usd} {...money} {...form.getInputProps('most_usd')} />
        <MoneyInput currency="RUB" label={labels.least_rub} {...money} {...form.getInputProps('least_rub')} />
        <MoneyInput currency="RUB" label={labels.most_rub} {...money} {...form.getInputProps('most_rub')} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('admin.payMethods.feeHint')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <DecimalInput
          label={labels.fee_percent}
          suffix=" %"
          decimalScale={2}
          max={LIMITS.paymentPercentMax}
          {...form.getInputProps('fee_percent')}
        />
        <MoneyInput currency="USD" label={labels.fee_usd} {...money} {...form.getInputProps('fee_usd')} />
        <MoneyInput currency="RUB" label={labels.fee_rub} {...money} {...form.getInputProps('fee_rub')} />
      </SimpleGrid>
      <Switch label={labels.is_fee_added} {...form.getInputProps('is_fee_added', { type: 'checkbox' })} />
      <Switch
        label={labels.is_fee_refunded}
        description={t('admin.payMethods.feeRefundedHint')}
        {...form.getInputProps('is_fee_refunded', { type: 'checkbox' })}
      />
    </FormDrawer>
  )
}
