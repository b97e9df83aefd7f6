import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import { IconForms, IconList } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { productPath } from '../products/products.queries.ts'
import { Allowed, ReadOnly } from '../shell/Allowed.tsx'
import { type ChosenGames, isChoosable, withGame, withGames, withoutGame } from './chosen-games.ts'
import { FieldNamesForm } from './FieldNamesForm.tsx'
import { GamePackages } from './GamePackages.tsx'
import { useSupplierServices } from './sourcing.queries.ts'
import { TakeOver } from './TakeOver.tsx'

interface GameTableProps {
  catalogue: Parameters<typeof useSupplierServices>[0]
}

/** The games of a supplier, to be ticked and taken over. What is ticked stays so on other pages and searches. */
export function GameTable({ catalogue }: GameTableProps) {
  const { t } = useTranslation()
  const { supplier } = catalogue
  const list = useSupplierServices(catalogue)
  const [chosen, setChosen] = useState<ChosenGames>(new Map())
  const [opened, setOpened] = useState<SupplierService>()
  const [named, setNamed] = useState<SupplierService>()
  const rows = list.query.data?.data ?? []
  const isAllowed = useMay()('suppliers.write')
  return (
    <>
      {isAllowed ? (
        <TakeOver supplier={supplier} chosen={chosen} onChange={setChosen} onOpen={setOpened} />
      ) : (
        <ReadOnly to="suppliers.write" />
      )}
      <AdminTable
        list={list}
        columns={useGameColumns(chosen, setChosen)}
        onOpen={setOpened}
        searchLabel={t('admin.sourcing.search')}
        empty={t('admin.sourcing.noGames')}
        selects={[
          {
            name: 'kind',
            label: t('admin.products.kind'),
            options: [
              { value: 'topup', label: t('admin.products.kindTopup') },
              { value: 'code', label: t('admin.products.kindCode') },
            ],
          },
          {
            name: 'taken',
            label: t('admin.sourcing.inShop'),
            options: [
              { value: 'false', label: t('admin.sourcing.notTaken') },
              { value: 'true', label: t('admin.sourcing.taken') },
            ],
          },
        ]}
        head={
          <Allowed to="suppliers.write">
            <Button variant="default" onClick={() => setChosen(withGames(chosen, rows))}>
              {t('admin.sourcing.choosePage')}
            </Button>
          </Allowed>
        }
        actions={(service) => (
          <>
            {service.fields.length > 0 && (
              <RowButton
                icon={IconForms}
                label={t('admin.sourcing.fieldNamesOf', { name: service.title })}
                onClick={() => setNamed(service)}
              />
            )}
            <RowButton
              icon={IconList}
              label={t('admin.products.packagesOf', { name: service.title })}
              onClick={() => setOpened(service)}
            />
          </>
        )}
      />
      {opened && (
        <GamePackages
          supplier={supplier}
          service={opened}
          chosen={chosen.get(opened.reference)}
          onChoose={(game) => {
            setChosen(game ? withGame(chosen, game) : withoutGame(chosen, opened))
            setOpened(undefined)
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {named && <FieldNamesForm supplier={supplier} service={named} onClose={() => setNamed(undefined)} />}
    </>
  )
}

function useGameColumns(chosen: ChosenGames, setChosen: (chosen: ChosenGames) => void): Column<SupplierService>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('admin.sourcing.game'),
      sort: 'title',
      isHead: true,
      cell: (service) => (
        <Group gap="sm" wrap="nowrap">
          <Allowed to="suppliers.write">
            <Checkbox
              size="md"
              aria-label={t('admin.sourcing.choose', { name: service.title })}
              checked={chosen.has(service.reference)}
              disabled={!isChoosable(service)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? withGame(chosen, { service }) : withoutGame(chosen, service))
              }
            />
          </Allowed>
          <div>
            {service.title}
            <Text size="xs" c="dimmed" ff="monospace" translate="no">
              {service.reference}
            </Text>
          </div>
        </Group>
      ),
    },
    {
      title: t('admin.accountFields.title'),
      cell: (service) => service.fields.map(({ label }) => label).join(', ') || '—',
    },
    {
      title: t('admin.sourcing.checksPlayers'),
      cell: (service) => t(service.checks_players ? 'admin.conflict.yes' : 'admin.conflict.no'),
    },
    {
      title: t('admin.products.packages'),
      sort: 'products_count',
      align: 'right',
      cell: (service) => (service.gone_at ? t('admin.sourcing.gone') : service.products_count),
    },
    {
      title: t('admin.sourcing.inShop'),
      cell: (service) =>
        service.taken.length === 0
          ? '—'
          : service.taken.map(({ id, title }) => (
              <Anchor key={id} component={Link} to={productPath(id)} display="block">
                {title}
              </Anchor>
            )),
    },
  ]
}
