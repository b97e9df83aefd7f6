import { NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { NumberSettings, ShopSettings } from '@olmos/contract/shop'
import { numberNames, numberRanges } from '@olmos/contract/shop-numbers'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { CurrenciesForm } from './CurrenciesForm.tsx'
import { LanguagesForm } from './LanguagesForm.tsx'
import { LookForm } from './LookForm.tsx'
import { OwnTextList } from './OwnTextList.tsx'
import {
  type NumberValues,
  type ShopValues,
  saveNumbers,
  saveShop,
  shopHistory,
  toShopValues,
  useNumbers,
  useShopSettings,
} from './shop.queries.ts'
import { TimeZoneForm } from './TimeZoneForm.tsx'
import { UnitList } from './UnitList.tsx'
import { Versions } from './Versions.tsx'

/** What the owner says of the shop: its name and contacts, its languages, currencies, time zone and look, the numbers of the business, the words for currencies of games, and the texts of its pages. */
export default function ShopTab() {
  return (
    <Stack gap="lg">
      <Loaded query={useShopSettings()} height={380}>
        {(settings) => (
          <Stack gap="lg">
            <ShopForm settings={settings} />
            <LanguagesForm settings={settings} />
            <CurrenciesForm settings={settings} />
            <TimeZoneForm settings={settings} />
            <LookForm settings={settings} />
          </Stack>
        )}
      </Loaded>
      <Loaded query={useNumbers()} height={480}>
        {(numbers) => <NumbersForm numbers={numbers} />}
      </Loaded>
      <UnitList />
      <OwnTextList />
    </Stack>
  )
}

function ShopForm({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<ShopValues, ShopSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => toShopValues(row),
    send: saveShop,
    done: t('admin.shop.saved'),
  })
  const { form } = saving
  const labels = {
    name: t('admin.shop.name'),
    messenger_url: t('admin.shop.messenger'),
    email: t('admin.shop.email'),
    phone: t('admin.shop.phone'),
    working_hours: t('admin.shop.workingHours'),
  }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-settings"
      title={t('admin.shop.settings')}
      text={t('admin.shop.text')}
      labels={labels}
      aside={<Versions history={shopHistory('shop')} />}
    >
      <TextInput
        label={labels.name}
        maxLength={LIMITS.shopNameMax}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          type="url"
          label={labels.messenger_url}
          placeholder="https://t.me/"
          {...form.getInputProps('messenger_url')}
        />
        <TextInput type="email" label={labels.email} autoComplete="off" {...form.getInputProps('email')} />
        <TextInput type="tel" label={labels.phone} autoComplete="off" {...form.getInputProps('phone')} />
        <TextInput
          label={labels.working_hours}
          maxLength={LIMITS.workingHoursMax}
          description={t('admin.shop.workingHoursHint')}
          {...form.getInputProps('working_hours')}
        />
      </SimpleGrid>
    </SettingsForm>
  )
}

function NumbersForm({ numbers }: { numbers: NumberSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<NumberValues, NumberSettings>({
    noun: 'shop',
    row: numbers,
    toValues: (row = numbers) => pickNumbers(row),
    send: saveNumbers,
  })
  const labels = Object.fromEntries(numberNames.map((name) => [name, t(`admin.shop.numbers.${name}`)]))
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-numbers"
      title={t('admin.shop.business')}
      text={t('admin.shop.businessText')}
      labels={labels}
      aside={<Versions history={shopHistory('numbers')} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {numberNames.map((name) => (
          <NumberInput
            key={name}
            label={labels[name]}
            description={t('admin.shop.range', numberRanges[name])}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            thousandSeparator=" "
            {...saving.form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
    </SettingsForm>
  )
}

const pickNumbers = (row: NumberSettings) =>
  Object.fromEntries(numberNames.map((name) => [name, row[name]])) as NumberValues
