import { Anchor, NumberInput, SegmentedControl, Switch } from '@mantine/core'
import type { PubgDenomination } from '@olmos/contract/denominations'
import { LIMITS } from '@olmos/contract/limits'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import {
  nouns,
  type PubgValues,
  savePubg,
  usePubgChange,
  usePubgDenominations,
  viewParam,
} from '../denominations/denominations.queries.ts'
import { PriceFields } from '../denominations/PriceFields.tsx'
import { RemoveDenomination } from '../denominations/RemoveDenomination.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { PubgCodes } from './PubgCodes.tsx'

/** The pool of UC codes, or the denominations it stands behind, as the address says. */
export default function PubgCodesTab() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = params.get(viewParam) === 'denominations' ? 'denominations' : 'codes'
  return (
    <>
      <SegmentedControl
        mb="md"
        value={view}
        onChange={(next) => setParams(next === 'codes' ? {} : { [viewParam]: next })}
        data={[
          { value: 'codes', label: t('admin.tabs.codes') },
          { value: 'denominations', label: t('admin.denominations.title') },
        ]}
      />
      {view === 'codes' ? <PubgCodes key="codes" /> : <PubgDenominations key="denominations" />}
    </>
  )
}

const toName = (row: PubgDenomination) => `${row.uc_amount} UC`

function PubgDenominations() {
  const { t } = useTranslation()
  return (
    <EditableTable
      list={usePubgDenominations()}
      columns={useUcColumns()}
      searchLabel={t('admin.denominations.searchUc')}
      empty={t('admin.denominations.empty')}
      addLabel={t('admin.denominations.add')}
      toName={toName}
      form={(row, close) => <PubgDenominationForm row={row} onClose={close} />}
      removeDialog={(row, close) => <RemoveDenomination game="pubg" row={row} name={toName(row)} onClose={close} />}
    />
  )
}

function useUcColumns(): Column<PubgDenomination>[] {
  const { t } = useTranslation()
  const change = usePubgChange()
  return [
    columns.gameAmount({ title: t('admin.denominations.uc'), sort: 'uc_amount', isHead: true }, (row) => [
      row.uc_amount,
      'UC',
    ]),
    ...columns.editedPrices<PubgDenomination>({
      t,
      toName,
      onUsd: (row, price_usd) => change.mutate({ row, change: { price_usd } }),
      onRub: (row, price_rub) => change.mutate({ row, change: { price_rub } }),
    }),
    {
      title: t('admin.denominations.pool'),
      align: 'right',
      cell: (row) => (
        <Anchor component={Link} to={`${paths.admin('pubgCodes')}?denominationId=${row.id}`}>
          {row.unsold_codes}
        </Anchor>
      ),
    },
    columns.toggle(
      { title: t('admin.products.active'), sort: 'is_active' },
      {
        label: (row) => t('admin.products.activeOf', { name: toName(row) }),
        isOn: (row) => row.is_active,
        onTurn: (row, is_active) => change.mutate({ row, change: { is_active } }),
      },
    ),
    columns.created(t),
  ]
}

const toValues = (row: PubgDenomination | undefined): PubgValues => ({
  uc_amount: row?.uc_amount ?? '',
  price_usd: row?.price_usd ?? '',
  price_rub: row?.price_rub ?? '',
  is_active: row?.is_active ?? true,
})

function PubgDenominationForm({ row, onClose }: { row: PubgDenomination | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<PubgValues, PubgDenomination>({
    noun: nouns.pubg,
    row,
    toValues,
    validate: missingFields,
    send: (values, version, _seen, isConfirmed) => savePubg(row, values, { version, isConfirmed }),
    onSaved: onClose,
  })
  const isInUse = row !== undefined && row.unsold_codes + row.sold_codes > 0
  const labels = {
    uc_amount: t('admin.denominations.uc'),
    price_usd: t('admin.products.priceUsd'),
    price_rub: t('admin.products.priceRub'),
    is_active: t('admin.products.active'),
  }
  return (
    <FormDrawer
      title={row ? `${row.uc_amount} UC` : t('admin.denominations.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <NumberInput
        label={labels.uc_amount}
        description={isInUse ? t('admin.denominations.inUse') : undefined}
        disabled={isInUse}
        required
        data-autofocus
        min={1}
        max={LIMITS.gameAmountMax}
        allowDecimal={false}
        thousandSeparator=" "
        {...form.getInputProps('uc_amount')}
      />
      <PriceFields form={form} />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
