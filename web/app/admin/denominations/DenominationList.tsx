import { Anchor, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { queryKeys } from '../../api/query-keys.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { paths } from '../../paths.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { RemoveOffer } from '../products/RemoveOffer.tsx'
import {
  type Denomination,
  type DenominationGame,
  type DenominationValues,
  nouns,
  removeDenomination,
  saveDenomination,
  toAmount,
  toDenominationName,
  useDenominationChange,
  useDenominations,
} from './denominations.queries.ts'

/** What the games differ in: how their calls name the amount, and where their codes are listed. */
const games = {
  pubg: {
    amount: 'uc_amount',
    amountLabel: 'admin.denominations.uc',
    search: 'admin.denominations.searchUc',
    codesLabel: 'admin.denominations.pool',
    codesTab: 'pubgCodes',
  },
  freefire: {
    amount: 'game_amount',
    amountLabel: 'admin.denominations.diamonds',
    search: 'admin.denominations.search',
    codesLabel: 'admin.denominations.codes',
    codesTab: 'generatedCodes',
  },
} as const satisfies Record<DenominationGame, object>

/** The packages of one of the games that have a tab of their own, with how many codes deliver each. */
export function DenominationList({ game }: { game: DenominationGame }) {
  const { t } = useTranslation()
  return (
    <EditableTable
      permission="prices.write"
      removePermission="catalogue.write"
      list={useDenominations(game)}
      columns={useDenominationColumns(game)}
      searchLabel={t(games[game].search)}
      empty={t('admin.denominations.empty')}
      addLabel={t('admin.denominations.add')}
      toName={toDenominationName}
      form={(row, close) => <DenominationForm game={game} row={row} onClose={close} />}
      removeDialog={(row, close) => <RemoveDenomination game={game} row={row} onClose={close} />}
    />
  )
}

function useDenominationColumns(game: DenominationGame): Column<Denomination>[] {
  const { t } = useTranslation()
  const change = useDenominationChange(game)
  const { amount, amountLabel, codesLabel, codesTab } = games[game]
  const ofAmount: Column<Denomination> = {
    title: t(amountLabel),
    sort: amount,
    isHead: true,
    cell: (row) => <GameAmount amount={toAmount(row)} currency="UC" />,
  }
  const named: Column<Denomination>[] = [
    columns.withId({ title: t('admin.products.name'), sort: 'name', isHead: true }, (row) => [
      toDenominationName(row),
      'item_id' in row && row.item_id,
    ]),
    { title: t(amountLabel), sort: amount, align: 'right', cell: (row) => gameNumber(toAmount(row)) },
  ]
  return [
    ...(game === 'pubg' ? [ofAmount] : named),
    ...columns.editedPrices<Denomination>({
      t,
      toName: toDenominationName,
      onUsd: (row, price_usd) => change.mutate({ row, change: { price_usd } }),
      onRub: (row, price_rub) => change.mutate({ row, change: { price_rub } }),
    }),
    {
      title: t(codesLabel),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin(codesTab)}?denominationId=${row.id}`}>
          {gameNumber(row.unsold_codes)}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active', isState: true },
      {
        permission: 'prices.write',
        label: (row) => t('admin.products.activeOf', { name: toDenominationName(row) }),
        isOn: (row) => row.is_active,
        onTurn: (row, is_active) => change.mutate({ row, change: { is_active } }),
      },
    ),
    { ...columns.created(t), isSecondary: true },
  ]
}

function toValues(game: DenominationGame, row: Denomination | undefined): DenominationValues {
  const common = {
    price_usd: row?.price_usd ?? '',
    price_rub: row?.price_rub ?? '',
    is_active: row?.is_active ?? true,
  }
  const amount = row ? toAmount(row) : ''
  if (game === 'pubg') return { uc_amount: amount, ...common }
  const { name, item_id } = row && 'name' in row ? row : { name: '', item_id: '' }
  return { name, item_id, game_amount: amount, ...common }
}

interface DenominationProps {
  game: DenominationGame
  onClose(): void
}

function DenominationForm({ game, row, onClose }: DenominationProps & { row: Denomination | undefined }) {
  const { t } = useTranslation()
  const { amount, amountLabel } = games[game]
  const { form, ...saving } = useAdminForm<DenominationValues, Denomination>({
    noun: nouns[game],
    row,
    toValues: (current) => toValues(game, current),
    validate: missingFields,
    send: (values, _version, seen, isConfirmed, underFloor) =>
      saveDenomination(game, values, { seen, isConfirmed, underFloor }),
    onSaved: onClose,
  })
  const isInUse = row !== undefined && row.unsold_codes + row.sold_codes > 0
  const money = { required: true, min: 0, max: LIMITS.amountMax / 100 }
  const labels = {
    name: t('admin.products.name'),
    item_id: t('admin.denominations.itemId'),
    [amount]: t(amountLabel),
    price_usd: t('admin.products.priceUsd'),
    price_rub: t('admin.products.priceRub'),
    is_active: t('admin.products.active'),
  }
  return (
    <FormDrawer
      title={row ? toDenominationName(row) : t('admin.denominations.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      {game === 'freefire' && (
        <>
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
        </>
      )}
      <NumberInput
        label={t(amountLabel)}
        description={isInUse ? t('admin.denominations.inUse') : undefined}
        disabled={isInUse}
        required
        data-autofocus={game === 'pubg' || undefined}
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps(amount)}
      />
      <SimpleGrid cols={2}>
        <MoneyInput currency="USD" label={labels.price_usd} {...money} {...form.getInputProps('price_usd')} />
        <MoneyInput currency="RUB" label={labels.price_rub} {...money} {...form.getInputProps('price_rub')} />
      </SimpleGrid>
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}

/** Deletes a denomination; the lists of its codes have others then. */
function RemoveDenomination({ game, row, onClose }: DenominationProps & { row: Denomination }) {
  const client = useQueryClient()
  const close = () => {
    onClose()
    client.invalidateQueries({ queryKey: queryKeys.admin.all })
  }
  return (
    <RemoveOffer
      id={row.id}
      name={toDenominationName(row)}
      kept="admin.denominations.keepsCodes"
      send={(seenCodes) => removeDenomination(game, row, seenCodes)}
      onClose={close}
    />
  )
}
