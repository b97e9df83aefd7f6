import { Group, Image, Switch, Text, TextInput } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { isImageAddress } from '../form/image-address.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { type RegionValues, removeRegion, saveRegion, useRegionSwitch, useRegions } from './regions.queries.ts'

export default function RegionsTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      permission="catalogue.write"
      list={useRegions()}
      columns={useRegionColumns()}
      searchLabel={t('admin.regions.search')}
      empty={t('admin.regions.empty')}
      addLabel={t('admin.regions.add')}
      toName={(region) => region.name}
      form={(region, close) => <RegionForm region={region} onClose={close} />}
      removeDialog={(region, close) => <RemoveRegion region={region} onClose={close} />}
    />
  )
}

function useRegionColumns(): Column<Region>[] {
  const { t } = useTranslation()
  const turn = useRegionSwitch()
  return [
    {
      title: t('admin.products.name'),
      sort: 'name',
      isHead: true,
      cell: (region) => (
        <Group gap="xs" wrap="nowrap">
          <RegionFlag flag={region.flag} />
          {region.name}
        </Group>
      ),
    },
    { title: t('admin.regions.code'), sort: 'code', isBare: true, cell: (region) => region.code },
    { title: t('admin.tabs.products'), align: 'right', cell: (region) => region.products_count },
    { title: t('admin.products.packages'), align: 'right', cell: (region) => region.offers_count },
    columns.toggle(
      { title: t('admin.regions.active'), sort: 'is_active', isState: true },
      {
        permission: 'catalogue.write',
        label: (region) => t('admin.regions.activeOf', { name: region.name }),
        isOn: (region) => region.is_active,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    { ...columns.created(t), isSecondary: true },
  ]
}

const toValues = (region: Region | undefined): RegionValues => ({
  name: region?.name ?? '',
  translations: { en: region?.translations.en ?? '', uz: region?.translations.uz ?? '' },
  code: region?.code ?? '',
  flag: region?.flag ?? '',
  is_active: region?.is_active ?? true,
})

function RegionForm({ region, onClose }: { region: Region | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm({
    noun: 'regions',
    row: region,
    toValues,
    send: (values, version) => saveRegion(region, values, version),
    onSaved: onClose,
  })
  const labels = {
    name: t('admin.products.name'),
    'translations.en': languageNames.en,
    'translations.uz': languageNames.uz,
    code: t('admin.regions.code'),
    flag: t('admin.regions.flag'),
    is_active: t('admin.regions.active'),
  }
  return (
    <FormDrawer
      title={region ? t('admin.regions.edit', { name: region.name }) : t('admin.regions.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        description={languageNames.ru}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label={languageNames.en} maxLength={100} {...form.getInputProps('translations.en')} />
      <TextInput label={languageNames.uz} maxLength={100} {...form.getInputProps('translations.uz')} />
      <TextInput
        label={labels.code}
        description={t('admin.regions.codeHint')}
        required
        maxLength={10}
        {...form.getInputProps('code')}
      />
      <TextInput
        label={labels.flag}
        description={t('admin.regions.flagHint')}
        rightSection={<RegionFlag flag={form.values.flag} />}
        {...form.getInputProps('flag')}
      />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}

/** Deletes a region. Asks for its name where links to products go with it; explains why a region with offers has to stay. */
function RemoveRegion({ region, onClose }: { region: Region; onClose(): void }) {
  const { t } = useTranslation()
  const hasOffers = region.offers_count > 0
  return (
    <ActionDialog
      title={t('admin.regions.removeTitle', { name: region.name })}
      takesAlong={
        !hasOffers && region.products_count > 0 ? [t('admin.regions.takesLinks', { count: region.products_count })] : []
      }
      {...(!hasOffers && region.products_count > 0 && { name: region.name })}
      isRefused={hasOffers}
      noun="regions"
      send={() => removeRegion(region)}
      onClose={onClose}
    >
      <Text>
        {hasOffers ? t('admin.regions.hasPackages', { count: region.offers_count }) : t('admin.remove.final')}
      </Text>
    </ActionDialog>
  )
}

/** Shows a region's flag: an image where it is an address, else an emoji. */
function RegionFlag({ flag }: { flag: string }) {
  if (isImageAddress(flag)) return <Image src={flag} alt="" w={24} h={18} radius={2} fit="cover" />
  return <span aria-hidden>{flag}</span>
}
