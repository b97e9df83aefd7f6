import { Button, ColorInput, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { findUnreadable, firstThemes, type OwnColors, ownColorNames } from '@olmos/contract/look'
import type { ShopSettings } from '@olmos/contract/shop'
import { useTranslation } from '../../i18n/use-translation.ts'
import { PictureUpload } from '../form/PictureUpload.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { type AdminForm, useAdminForm } from '../form/use-admin-form.ts'
import { Allowed } from '../shell/Allowed.tsx'
import classes from './LookForm.module.css'
import { LookPreview } from './LookPreview.tsx'
import { type LookValues, saveLook, toLookValues } from './shop.queries.ts'

/** The colours as they are typed; one that is none yet counts as the store's own. */
const toColors = (values: LookValues): OwnColors =>
  Object.fromEntries(
    ownColorNames.map((name) => [name, /^#[\da-f]{6}$/i.test(values[name]) ? values[name] : null]),
  ) as OwnColors

/** How the shop looks: its logo and icon, and its colours, which are shown in both themes and have to be read. */
export function LookForm({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<LookValues, ShopSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => toLookValues(row),
    send: saveLook,
    done: t('admin.shop.saved'),
    validate: (values) =>
      Object.fromEntries(findUnreadable(toColors(values)).map(({ field }) => [field, 'unreadable_color'])),
  })
  const { form } = saving
  const labels = {
    logo: t('admin.shop.logo'),
    icon: t('admin.shop.icon'),
    ...Object.fromEntries(ownColorNames.map((name) => [name, t(`admin.shop.colors.${name}`)])),
  }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-look"
      title={t('admin.shop.look')}
      text={t('admin.shop.lookText')}
      labels={labels}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <PictureField saving={saving} use="logo" label={t('admin.shop.logo')} upload={t('admin.shop.uploadLogo')} />
        <PictureField saving={saving} use="icon" label={t('admin.shop.icon')} upload={t('admin.shop.uploadIcon')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {ownColorNames.map((name) => {
          const [part, scheme] = name.split('_') as ['accent' | 'ground', 'dark' | 'light']
          return (
            <ColorInput
              key={name}
              label={t(`admin.shop.colors.${name}`)}
              placeholder={firstThemes[scheme][part]}
              format="hex"
              eyeDropperButtonProps={{ 'aria-label': t('admin.promotions.pickColor') }}
              {...form.getInputProps(name)}
            />
          )
        })}
      </SimpleGrid>
      <LookPreview colors={toColors(form.values)} name={settings.name} />
    </SettingsForm>
  )
}

interface PictureFieldProps {
  saving: AdminForm<LookValues>
  use: 'logo' | 'icon'
  label: string
  upload: string
}

/** A picture of the shop on the grounds of both themes, with buttons that change it and take it away. */
function PictureField({ saving: { form }, use, label, upload }: PictureFieldProps) {
  const { t } = useTranslation()
  const address = form.values[use]
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed">
        {t(`admin.shop.hints.${use}`)}
      </Text>
      {address && (
        <Group gap={0} wrap="nowrap">
          {(['dark', 'light'] as const).map((scheme) => (
            <span key={scheme} className={classes.picture} style={{ background: firstThemes[scheme].ground }}>
              <img src={address} alt={label} height={32} />
            </span>
          ))}
        </Group>
      )}
      <RefusalAlert text={form.errors[use]} />
      <Allowed to="settings.write">
        <Group gap="xs" align="flex-start">
          <PictureUpload
            use={use}
            noun="shop"
            label={upload}
            onUploaded={(address) => form.setFieldValue(use, address)}
          />
          {address && (
            <Button variant="subtle" onClick={() => form.setFieldValue(use, '')}>
              {t(`admin.shop.remove.${use}`)}
            </Button>
          )}
        </Group>
      </Allowed>
    </Stack>
  )
}
