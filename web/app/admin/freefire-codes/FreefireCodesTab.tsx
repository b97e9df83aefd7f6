import { Anchor, NumberInput, Switch, Text, TextInput } from '@mantine/core'
import type { FreefireDenomination } from '@olmos/contract/denominations'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gameNumber } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import {
  type FreefireValues,
  nouns,
  saveFreefire,
  useFreefireChange,
  useFreefireDenominations,
} from '../denominations/denominations.queries.ts'
import { PriceFields } from '../denominations/PriceFields.tsx'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'

const toName = (row: FreefireDenomination) => row.name

export default function FreefireCodesTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      list={useFreefireDenominations()}
      columns={useDiamondColumns()}
      searchLabel={t('admin.denominations.search')}
      empty={t('admin.denominations.empty')}
      addLabel={t('admin.denominations.add')}
      toName={toName}
      form={(row, close) => <FreefireForm row={row} onClose={close} />}
      removeDialog={(row, close) => <RemoveDenomination game="freefire" row={row} name={row.name} onClose={close} />}
    />
  )
}

function useDiamondColumns(): Column<FreefireDenomination>[] {
  const { t } = useTranslation()
  const change = useFreefireChange()
  return [
    {
      title: t('admin.products.name'),
      sort: 'name',
      isHead: true,
      cell: (row) => (
        <>
          {row.name}
          <Text size="xs" c="dimmed" ff="monospace" translate="no">
            {row.item_id}
          </Text>
        </>
      ),
    },
    {
      title: t('admin.denominations.diamonds'),
      sort: 'game_amount',
      align: 'right',
      cell: (row) => gameNumber(row.game_amount),
    },
    ...columns.editedPrices<FreefireDenomination>({
      t,
      toName,
      onUsd: (row, price_usd) => change.mutate({ row, change: { price_usd } }),
      onRub: (row, price_rub) => change.mutate({ row, change: { price_rub } }),
    }),
    {
      title: t('admin.denominations.codes'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('generatedCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active' },
      {
        label: (row) => t('admin.products.activeOf', { name: row.name }),
        isOn: (row) => row.is_active,
        onTurn: (row, is_active) => change.mutate({ row, change: { is_active } }),
      },
    ),
  ]
}

const toValues = (row: FreefireDenomination | undefined): FreefireValues => ({
  name: row?.name ?? '',
  item_id: row?.item_id ?? '',
  game_amount: row?.game_amount ?? '',
  price_usd: row?.price_usd ?? '',
  price_rub: row?.price_rub ?? '',
  is_active: row?.is_active ?? true,
})

function FreefireForm({ row, onClose }: { row: FreefireDenomination | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<FreefireValues, FreefireDenomination>({
    noun: nouns.freefire,
    row,
    toValues,
    validate: missingFields,
    send: (values, version, _seen, isConfirmed) => saveFreefire(row, values, { version, isConfirmed }),
    onSaved: onClose,
  })
  const isInUse = row !== undefined && row.unsold_codes + row.sold_codes > 0
  const labels = {
    name: t('admin.products.name'),
    item_id: t('admin.denominations.itemId'),
    game_amount: t('admin.denominations.diamonds'),
    price_usd: t('admin.products.priceUsd'),
    price_rub: t('admin.products.priceRub'),
    is_active: t('admin.products.active'),
  }
  return (
    <FormDrawer
      title={row ? row.name : t('admin.denominations.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        required
        data-autofocus
        maxLength={LIMITS.denominationNameMax}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.item_id}
        description={t('admin.denominations.itemIdHint')}
        required
        maxLength={LIMITS.itemIdMax}
        {...form.getInputProps('item_id')}
      />
      <NumberInput
        label={labels.game_amount}
        description={isInUse ? t('admin.denominations.inUse') : undefined}
        disabled={isInUse}
        required
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps('game_amount')}
      />
      <PriceFields form={form} />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
