import { Anchor, MultiSelect, Stack, TextInput } from '@mantine/core'
import type { FrontSettings } from '@olmos/contract/front'
import * as LIMITS from '@olmos/contract/limits'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { useAllProducts } from '../products/products.queries.ts'
import { shopHistory, useShopSettings } from '../shop/shop.queries.ts'
import { Versions } from '../shop/Versions.tsx'
import { BannersForm } from './BannersForm.tsx'
import { type HomeValues, saveHome, toHomeValues, useFront } from './front.queries.ts'
import { HomeTop, Preview } from './Preview.tsx'
import { QuestionsForm } from './QuestionsForm.tsx'

/** What stands in front: the button and the featured products of the home page, the banners, questions and answers. */
export default function FrontTab() {
  const shop = useShopSettings()
  return (
    <Loaded query={useFront()} height={480}>
      {(front) => (
        <Stack gap="lg">
          <HomeForm front={front} />
          <Loaded query={shop} height={320}>
            {({ time_zone, server_time_zone }) => (
              <BannersForm front={front} timeZone={time_zone ?? server_time_zone} />
            )}
          </Loaded>
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
      <Preview name={t('admin.front.home')}>{(language) => <HomeTop language={language} />}</Preview>
    </SettingsForm>
  )
}
