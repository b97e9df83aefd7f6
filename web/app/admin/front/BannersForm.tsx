import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { languages } from '@olmos/contract/fields'
import { bannerKinds, type FrontSettings } from '@olmos/contract/front'
import * as LIMITS from '@olmos/contract/limits'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RowButtons } from '../list/RowButtons.tsx'
import { type BannersValues, newBanner, saveBanners, toBannersValues } from './front.queries.ts'
import { BannerStrip, Preview } from './Preview.tsx'

interface BannersFormProps {
  front: FrontSettings
  /** In which the moments are shown and typed. */
  timeZone: string
}

/** The banners in their order. The first one that is on and in its time stands above every page. */
export function BannersForm({ front, timeZone }: BannersFormProps) {
  const { t } = useTranslation()
  const saving = useAdminForm<BannersValues, FrontSettings>({
    noun: 'shop',
    row: front,
    toValues: (row = front) => toBannersValues(row, timeZone),
    send: (values, version) => saveBanners(values, timeZone, version),
    done: t('admin.front.saved'),
  })
  const { form } = saving
  const { banners } = form.values
  const kinds = bannerKinds.map((value) => ({ value, label: t(`admin.front.kinds.${value}`) }))
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="front-banners"
      title={t('admin.front.banners')}
      text={t('admin.front.bannersText', { zone: timeZone })}
      labels={{ banners: t('admin.front.banners') }}
      read={{ banners: (value) => String((value as unknown[]).length) }}
    >
      {banners.map((banner, at) => {
        const place = `banners.${at}` as const
        const name = t('admin.front.banner', { number: at + 1 })
        return (
          <Fieldset key={form.key(place)} legend={name}>
            <Stack>
              {languages.map((language) => (
                <TextInput
                  key={language}
                  lang={language}
                  label={languageNames[language]}
                  maxLength={LIMITS.bannerTextMax}
                  {...form.getInputProps(`${place}.texts.${language}`)}
                />
              ))}
              <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
                <TextInput
                  label={t('admin.front.bannerLink')}
                  description={t('admin.front.linkHint')}
                  maxLength={LIMITS.linkAddressMax}
                  {...form.getInputProps(`${place}.url`)}
                />
                <NativeSelect label={t('admin.front.kind')} data={kinds} {...form.getInputProps(`${place}.kind`)} />
                <TextInput
                  type="datetime-local"
                  label={t('admin.front.from')}
                  {...form.getInputProps(`${place}.from`)}
                />
                <TextInput
                  type="datetime-local"
                  label={t('admin.front.until')}
                  {...form.getInputProps(`${place}.until`)}
                />
              </SimpleGrid>
              <Preview name={name}>{(language) => <BannerStrip banner={banner} language={language} />}</Preview>
              <Group justify="space-between">
                <Switch
                  label={t('admin.front.bannerOn')}
                  {...form.getInputProps(`${place}.is_on`, { type: 'checkbox' })}
                  error={form.errors[`${place}.texts`] ? t('admin.front.noText') : undefined}
                />
                <Group gap={4}>
                  <RowButtons
                    name={name}
                    place={{
                      index: at,
                      count: banners.length,
                      onMove: (to) => form.reorderListItem('banners', { from: at, to }),
                    }}
                    onRemove={() => form.removeListItem('banners', at)}
                  />
                </Group>
              </Group>
            </Stack>
          </Fieldset>
        )
      })}
      <Group>
        <Button
          variant="default"
          disabled={banners.length >= LIMITS.bannersMax}
          onClick={() => form.insertListItem('banners', newBanner)}
        >
          {t('admin.front.addBanner')}
        </Button>
      </Group>
    </SettingsForm>
  )
}
