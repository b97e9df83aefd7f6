import { Anchor, MultiSelect, NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { languages } from '@olmos/contract/fields'
import { bannerKinds, type FrontSettings } from '@olmos/contract/front'
import * as LIMITS from '@olmos/contract/limits'
import { Link } from 'react-router'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { useAllProducts } from '../products/products.queries.ts'
import { shopHistory } from '../shop/shop.queries.ts'
import { Versions } from '../shop/Versions.tsx'
import {
  type BannerValues,
  type HomeValues,
  saveBanner,
  saveHome,
  toBannerValues,
  toHomeValues,
  useFront,
} from './front.queries.ts'
import { QuestionsForm } from './QuestionsForm.tsx'

/** What stands in front: the button and the featured products of the home page, the banner, questions and answers. */
export default function FrontTab() {
  return (
    <Loaded query={useFront()} height={480}>
      {(front) => (
        <Stack gap="lg">
          <HomeForm front={front} />
          <BannerForm front={front} />
          <QuestionsForm front={front} />
        </Stack>
      )}
    </Loaded>
  )
}

function HomeForm({ front }: { front: FrontSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<HomeValues, FrontSettings>({
    noun: 'shop',
    row: front,
    toValues: (row = front) => toHomeValues(row),
    send: saveHome,
    done: t('admin.front.saved'),
  })
  const products = toIdOptions(useAllProducts().data)
  const labels = { action_url: t('admin.front.action'), featured: t('admin.front.featured') }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="front-home"
      title={t('admin.front.home')}
      text={
        <>
          {t('admin.front.homeText')}{' '}
          <Anchor component={Link} to={paths.admin('shop')} size="sm" underline="always">
            {t('admin.shop.texts')}
          </Anchor>
        </>
      }
      labels={labels}
      choices={{ featured: products }}
      aside={<Versions history={shopHistory('front')} />}
    >
      <TextInput
        label={labels.action_url}
        description={t('admin.front.linkHint')}
        placeholder={paths.products}
        maxLength={LIMITS.linkAddressMax}
        {...saving.form.getInputProps('action_url')}
      />
      <MultiSelect
        label={labels.featured}
        description={t('admin.front.featuredHint')}
        searchable
        clearable
        maxValues={LIMITS.featuredMax}
        data={products}
        {...saving.form.getInputProps('featured')}
      />
    </SettingsForm>
  )
}

function BannerForm({ front }: { front: FrontSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<BannerValues, FrontSettings>({
    noun: 'shop',
    row: front,
    toValues: (row = front) => toBannerValues(row),
    send: saveBanner,
    done: t('admin.front.saved'),
  })
  const { form } = saving
  const kinds = bannerKinds.map((value) => ({ value, label: t(`admin.front.kinds.${value}`) }))
  const labels = {
    'banner.is_on': t('admin.front.bannerOn'),
    'banner.kind': t('admin.front.kind'),
    'banner.url': t('admin.front.bannerLink'),
    'banner.from': t('admin.front.from'),
    'banner.until': t('admin.front.until'),
    ...Object.fromEntries(languages.map((one) => [`banner.texts.${one}`, languageNames[one]])),
  }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="front-banner"
      title={t('admin.front.banner')}
      text={t('admin.front.bannerText')}
      labels={labels}
      choices={{ 'banner.kind': kinds }}
    >
      {languages.map((language) => (
        <TextInput
          key={language}
          lang={language}
          label={languageNames[language]}
          maxLength={LIMITS.bannerTextMax}
          {...form.getInputProps(`banner.texts.${language}`)}
        />
      ))}
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label={labels['banner.url']}
          description={t('admin.front.linkHint')}
          maxLength={LIMITS.linkAddressMax}
          {...form.getInputProps('banner.url')}
        />
        <NativeSelect label={labels['banner.kind']} data={kinds} {...form.getInputProps('banner.kind')} />
        <TextInput type="datetime-local" label={labels['banner.from']} {...form.getInputProps('banner.from')} />
        <TextInput type="datetime-local" label={labels['banner.until']} {...form.getInputProps('banner.until')} />
      </SimpleGrid>
      <Switch
        label={labels['banner.is_on']}
        {...form.getInputProps('banner.is_on', { type: 'checkbox' })}
        error={form.errors['banner.texts'] ? t('admin.front.noText') : undefined}
      />
    </SettingsForm>
  )
}
