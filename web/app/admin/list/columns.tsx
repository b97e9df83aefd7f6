import { Anchor, Switch, Text } from '@mantine/core'
import { parsePrice } from '@olmos/contract/import-lines'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { Permission } from '@olmos/contract/permissions'
import type { TFunction } from 'i18next'
import { type FocusEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Ago } from '../../i18n/Ago.tsx'
import { Amount } from '../../money/Amount.tsx'
import { GameAmount } from '../../money/GameAmount.tsx'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/profile.ts'
import { isLeftToDialog } from '../../ui/covered.ts'
import type { Column } from './AdminTable.tsx'

type Heading = Omit<Column<never>, 'cell' | 'align'>

interface Priced {
  price_usd: number
  price_rub: number
}

interface Toggle<Row> {
  /** Without it the switch only tells. */
  permission: Permission
  label(row: Row): string
  isOn(row: Row): boolean
  isDisabled?(row: Row): boolean
  onTurn(row: Row, isOn: boolean): void
}

interface PriceEditing<Row> {
  t: TFunction
  /** Tells screen readers whose price a field is. */
  toName(row: Row): string
  onUsd(row: Row, price: number): void
  onRub(row: Row, price: number): void
}

/** The columns that lists of the admin area share: each takes its heading and how a row is read. */
export const columns = {
  /** How long ago, exactly when under the pointer. */
  when: <Row,>(heading: Heading, read: (row: Row) => string): Column<Row> => ({
    ...heading,
    cell: (row) => <Ago at={read(row)} />,
  }),

  created: <Row extends { created_at: string }>(t: TFunction): Column<Row> =>
    columns.when({ title: t('admin.list.created'), sort: 'created_at' }, (row) => row.created_at),

  money: <Row,>(heading: Heading, read: (row: Row) => readonly [amount: number, currency: Currency]): Column<Row> => ({
    ...heading,
    align: 'right',
    cell(row) {
      const [amount, currency] = read(row)
      return <Amount value={amount} currency={currency} />
    },
  }),

  /** A name, with what a machine calls the same below it. */
  withId: <Row,>(heading: Heading, read: (row: Row) => readonly [name: string, id: ReactNode]): Column<Row> => ({
    ...heading,
    cell(row) {
      const [name, id] = read(row)
      return (
        <>
          {name}
          <Text size="xs" c="dimmed" ff="monospace" translate="no">
            {id}
          </Text>
        </>
      )
    },
  }),

  /** Something, with a note below it where there is one. */
  withNote: <Row,>(
    heading: Heading,
    read: (row: Row) => ReactNode,
    readNote: (row: Row) => string | null,
  ): Column<Row> => ({
    ...heading,
    cell(row) {
      const note = readNote(row)
      if (!note) return read(row)
      return (
        <>
          {read(row)}
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        </>
      )
    },
  }),

  /** A price in USD, with the one in RUB below it. */
  prices: <Row extends Priced>(heading: Heading): Column<Row> => ({
    ...heading,
    sort: 'price_usd',
    align: 'right',
    cell: (row) => (
      <>
        <Amount value={row.price_usd} currency="USD" />
        <Text size="xs" c="dimmed">
          <Amount value={row.price_rub} currency="RUB" />
        </Text>
      </>
    ),
  }),

  /** Both prices of a row, each changed where it stands. */
  editedPrices: <Row extends Priced>({ t, toName, onUsd, onRub }: PriceEditing<Row>): Column<Row>[] => [
    {
      title: t('admin.products.priceUsd'),
      sort: 'price_usd',
      align: 'right',
      cell: (row) => (
        <PriceCell
          value={row.price_usd}
          currency="USD"
          label={t('admin.products.priceUsdOf', { name: toName(row) })}
          onChange={(price) => onUsd(row, price)}
        />
      ),
    },
    {
      title: t('admin.products.priceRub'),
      sort: 'price_rub',
      align: 'right',
      cell: (row) => (
        <PriceCell
          value={row.price_rub}
          currency="RUB"
          label={t('admin.products.priceRubOf', { name: toName(row) })}
          onChange={(price) => onRub(row, price)}
        />
      ),
    },
  ],

  gameAmount: <Row,>(
    heading: Heading,
    read: (row: Row) => readonly [amount: number, currency: string],
  ): Column<Row> => ({
    ...heading,
    cell(row) {
      const [amount, currency] = read(row)
      return <GameAmount amount={amount} currency={currency} />
    },
  }),

  toggle: <Row,>(heading: Heading, toggle: Toggle<Row>): Column<Row> => ({
    ...heading,
    cell: (row) => <ToggleCell row={row} {...toggle} />,
  }),

  /** The number of an order, which leads to it. */
  order: <Row,>(heading: Heading, read: (row: Row) => string): Column<Row> => ({
    ...heading,
    cell: (row) => (
      <Anchor
        component={Link}
        to={`${paths.admin('orders')}?order=${read(row)}`}
        ff="monospace"
        {...(heading.isHead && { fw: 600 })}
      >
        {read(row)}
      </Anchor>
    ),
  }),
}

function ToggleCell<Row>({ row, permission, label, isOn, isDisabled, onTurn }: Toggle<Row> & { row: Row }) {
  const isAllowed = useMay()(permission)
  return (
    <Switch
      aria-label={label(row)}
      checked={isOn(row)}
      disabled={!isAllowed || isDisabled?.(row) === true}
      onChange={(event) => onTurn(row, event.currentTarget.checked)}
    />
  )
}

interface PriceCellProps {
  /** Major units. */
  value: number
  currency: Currency
  label: string
  onChange(value: number): void
}

/** Edits a price in its cell: leaving the field or Enter saves it, Escape restores it. */
function PriceCell({ value, currency, label, onChange }: PriceCellProps) {
  const [typed, setTyped] = useState<string | number>(value.toFixed(2))
  const [shown, setShown] = useState(value)
  const isAllowed = useMay()('prices.write')
  // The price was changed by another admin, or ours was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value.toFixed(2))
  }

  if (!isAllowed) return <Amount value={value} currency={currency} />

  const leave = (event: FocusEvent) => {
    if (isLeftToDialog(event)) return
    // The field's value is a text where a number would lose a trailing zero.
    const price = parsePrice(String(typed))
    if (price === undefined) setTyped(value.toFixed(2))
    else if (price !== toMinor(value)) onChange(toMajor(price))
  }

  return (
    <MoneyInput
      aria-label={label}
      size="sm"
      w={120}
      ml="auto"
      currency={currency}
      max={LIMITS.amountMax / 100}
      styles={{ input: { textAlign: 'end' } }}
      value={typed}
      onChange={setTyped}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(value.toFixed(2))
      }}
    />
  )
}
