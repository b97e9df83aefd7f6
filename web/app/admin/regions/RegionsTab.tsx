import { Group } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { useTranslation } from 'react-i18next'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { RegionFlag } from './RegionFlag.tsx'
import { RegionForm } from './RegionForm.tsx'
import { RemoveRegion } from './RemoveRegion.tsx'
import { useRegionSwitch, useRegions } from './regions.queries.ts'

export default function RegionsTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
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
      title: t('admin.regions.name'),
      sort: 'name',
      isHead: true,
      cell: (region) => (
        <Group gap="xs" wrap="nowrap">
          <RegionFlag flag={region.flag} />
          {region.name}
        </Group>
      ),
    },
    { title: t('admin.regions.code'), sort: 'code', cell: (region) => region.code },
    { title: t('admin.regions.products'), align: 'right', cell: (region) => region.products_count },
    { title: t('admin.regions.packages'), align: 'right', cell: (region) => region.offers_count },
    columns.toggle(
      { title: t('admin.regions.active'), sort: 'is_active' },
      {
        label: (region) => t('admin.regions.activeOf', { name: region.name }),
        isOn: (region) => region.is_active,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    columns.created(t),
  ]
}
