import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import type { SupplierSync } from '@olmos/contract/supplier-lists'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { BackLink } from '../list/BackLink.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { toView, useTabAddress } from '../list/use-list-view.ts'
import { ViewSwitch } from '../list/ViewSwitch.tsx'
import { ChangeTable } from './ChangeTable.tsx'
import { GameTable } from './GameTable.tsx'
import { SyncState } from './SyncState.tsx'
import { catalogueParam, catalogueViewParam, useSyncs } from './sourcing.queries.ts'

const changesView = 'changes'

/** What a supplier sells, to be taken over; and what is new, gone or dearer there. */
export function CatalogueScreen() {
  const { t } = useTranslation()
  return (
    <>
      <BackLink to={paths.admin('suppliers')} text={t('admin.sourcing.back')} />
      <Title order={2} size="h3" mt="xs" mb="md">
        {t('admin.sourcing.title')}
      </Title>
      <Loaded query={useSyncs()} height={320} empty={<Text c="dimmed">{t('admin.sourcing.noCatalogue')}</Text>}>
        {(syncs) => <Catalogue syncs={syncs} />}
      </Loaded>
    </>
  )
}

function Catalogue({ syncs }: { syncs: SupplierSync[] }) {
  const { t } = useTranslation()
  const address = useTabAddress()
  const [params, change] = address
  const sync = syncs.find(({ supplier }) => supplier === params.get(catalogueParam)) ?? syncs[0]
  if (!sync) return null
  const { supplier } = sync
  const [view, show] = toView(address, catalogueViewParam, ['games', changesView])
  const catalogue = { supplier, readAt: sync.completed_at }
  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label={t('admin.sourcing.supplier')}
          value={supplier}
          onChange={(event) => change({ [catalogueParam]: event.currentTarget.value, page: undefined })}
          data={syncs.map(({ supplier: name }) => name)}
        />
        <ViewSwitch
          shown={view}
          onShow={show}
          options={[
            { value: 'games', label: t('admin.sourcing.games') },
            { value: changesView, label: t('admin.sourcing.changes') },
          ]}
        />
      </Group>
      <SyncState sync={sync} />
      {view === changesView ? (
        <ChangeTable key={supplier} catalogue={catalogue} />
      ) : (
        <GameTable key={supplier} catalogue={catalogue} />
      )}
    </Stack>
  )
}
