import { Button, Group, Switch } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../i18n/Ago.tsx'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { RegionFlag } from './RegionFlag.tsx'
import { RegionForm } from './RegionForm.tsx'
import { RemoveRegion } from './RemoveRegion.tsx'
import { useRegionSwitch, useRegions } from './regions.queries.ts'

export default function RegionsTab() {
  const { t } = useTranslation()
  const list = useRegions()
  const turn = useRegionSwitch()
  const [edited, setEdited] = useState<Region | 'new'>()
  const [removed, setRemoved] = useState<Region>()

  const columns: Column<Region>[] = [
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
    {
      title: t('admin.regions.active'),
      sort: 'is_active',
      cell: (region) => (
        <Switch
          aria-label={t('admin.regions.activeOf', { name: region.name })}
          checked={region.is_active}
          onChange={(event) => turn.mutate({ row: region, change: event.currentTarget.checked })}
        />
      ),
    },
    { title: t('admin.list.created'), sort: 'created_at', cell: (region) => <Ago at={region.created_at} /> },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={setEdited}
        searchLabel={t('admin.regions.search')}
        empty={t('admin.regions.empty')}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.regions.add')}
          </Button>
        }
        actions={(region) => (
          <RowButtons name={region.name} onEdit={() => setEdited(region)} onRemove={() => setRemoved(region)} />
        )}
      />
      {edited && <RegionForm region={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveRegion region={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}
