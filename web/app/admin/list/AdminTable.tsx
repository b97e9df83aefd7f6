import { Box, Button, Group, Skeleton, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { QueryView } from '../../api/QueryView.tsx'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Surface } from '../../ui/Surface.tsx'
import classes from './AdminTable.module.css'
import type { ListSelect } from './FilterSelect.tsx'
import { ListFailed } from './ListFailed.tsx'
import { ListFilters } from './ListFilters.tsx'
import { SearchField } from './SearchField.tsx'
import { type AdminList, countPages, type ListPage } from './use-admin-list.ts'
import type { ListView } from './use-list-view.ts'
import { type RowKeys, useRowKeys } from './use-row-keys.ts'

export interface Column<Row> {
  title: string
  cell(row: Row): ReactNode
  /** What the store sorts by for it. */
  sort?: string
  align?: 'right'
  /** Heads the card that a row is on a phone. */
  isHead?: boolean
  /** Stands beside that head, and says by itself what it is. */
  isState?: boolean
  /** Has more to say than half of that card has room for. */
  isWide?: boolean
  /** Says by itself what it is, so that the card leaves out its title. */
  isBare?: boolean
  /** Is left to who opens the row, where the screen has room for two lines. */
  isSecondary?: boolean
  /** Takes one line of that card, where it takes two in a table. */
  isInline?: boolean
  /** Has nothing to say of a row, so that its card leaves it out; a dash says that by itself. */
  isEmpty?(row: Row): boolean
}

const dash = '—'

export interface AdminTableProps<Row> {
  list: AdminList<Row>
  columns: readonly Column<Row>[]
  /** What Enter does on a row; without it, its first link is followed. */
  onOpen?(row: NoInfer<Row>): void
  /** Buttons at the end of each row. */
  actions?(row: Row): ReactNode
  /** What can be searched for; none, no search. */
  searchLabel?: string
  /** Choices that narrow the list, beside the search. */
  selects?: readonly ListSelect[]
  /** What else narrows it. */
  filters?: ReactNode
  /** What adds to the list, at the far end of its head. */
  head?: ReactNode
  /** What has to be known about what is listed. */
  note?: string
  /** What to say while there is nothing at all. */
  empty: string
}

type Key = string | number

interface RowKey<Row> {
  rowKey(row: Row): Key
}

const toId = (row: unknown) => (row as { id: Key }).id

/**
 * A list of the admin area: searched, sorted and paged by the store; a row is a card on a phone. Rows are told apart by
 * their ids, or by what `rowKey` reads of those that have none.
 */
export function AdminTable<Row extends { id: Key }>(props: AdminTableProps<Row>): ReactNode
export function AdminTable<Row>(props: AdminTableProps<Row> & RowKey<Row>): ReactNode
export function AdminTable<Row>({ list, searchLabel, ...props }: AdminTableProps<Row> & Partial<RowKey<Row>>) {
  const { selects, filters, head, note, rowKey = toId, onOpen, ...table } = props
  const rows = list.query.data?.data ?? []
  const keys = useRowKeys({ rows, toKey: rowKey, onOpen })
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        {searchLabel && <SearchField label={searchLabel} view={list.view} onDown={keys.enter} />}
        <ListFilters view={list.view} columns={table.columns} selects={selects}>
          {filters}
        </ListFilters>
        {head && (
          <Group ml="auto" gap="sm" className={classes.head}>
            {head}
          </Group>
        )}
      </Group>
      {note && (
        <Text size="sm" mb="sm" role="status">
          {note}
        </Text>
      )}
      <Rows list={list} keys={keys} rowKey={rowKey} {...table} />
    </>
  )
}

interface RowsProps<Row> extends RowKey<Row>, Pick<AdminTableProps<Row>, 'list' | 'columns' | 'actions' | 'empty'> {
  keys: RowKeys
}

function Rows<Row>({ empty, ...rows }: RowsProps<Row>) {
  const { query, view } = rows.list
  // The address is past the end, and the last page is on its way.
  const isElsewhere = query.data !== undefined && query.data.total > 0 && view.page > countPages(query.data.total)
  return (
    <QueryView
      query={query}
      skeleton={<TableSkeleton />}
      failed={<ListFailed query={query} />}
      empty={isElsewhere ? <TableSkeleton /> : <NothingListed view={view} empty={empty} />}
      isEmpty={({ data }) => data.length === 0}
    >
      {(page) => <Page page={page} {...rows} />}
    </QueryView>
  )
}

type PageProps<Row> = Omit<RowsProps<Row>, 'empty'> & { page: ListPage<Row> }

function Page<Row>({ page, list: { query, view }, columns, rowKey, keys, actions }: PageProps<Row>) {
  const { t } = useTranslation()
  const hint = useId()
  const { isFetching, error } = query
  const countedMax = view.search ? LIMITS.searchCountMax : LIMITS.listCountMax
  return (
    <Box aria-busy={isFetching}>
      {error && <ListFailed query={query} />}
      <VisuallyHidden id={hint}>{t('admin.list.keys')}</VisuallyHidden>
      <Surface p={0} className={classes.surface}>
        <Table
          aria-describedby={hint}
          className={classes.table}
          verticalSpacing="xs"
          highlightOnHover
          highlightOnHoverColor="var(--olmos-surface-raised)"
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Heading key={column.title} column={column} view={view} />
              ))}
              {actions && (
                <Table.Th>
                  <VisuallyHidden>{t('admin.list.actions')}</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={keys.body}>
            {page.data.map((row, index) => (
              <Table.Tr key={rowKey(row)} className={classes.row} {...keys.toProps(index)}>
                {columns.map((column) => (
                  <Cell key={column.title} column={column} row={row} />
                ))}
                {actions && (
                  <Table.Td className={classes.actions}>
                    <Group gap={4} justify="flex-end" className={classes.buttons}>
                      {actions(row)}
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Surface>
      <Text size="sm" c="dimmed" mt="sm" ta="center">
        {t(page.total < countedMax ? 'admin.list.total' : 'admin.list.totalOrMore', { count: page.total })}
      </Text>
      <PagePager page={view.page} pages={countPages(page.total)} onChange={(number) => view.change({ page: number })} />
    </Box>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, cell, align, isHead, isState, isWide, isBare, isSecondary, isInline, isEmpty } = column
  const shown = cell(row)
  return (
    <Table.Td
      data-label={title}
      data-head={isHead}
      data-state={isState}
      data-wide={isWide}
      data-bare={isBare}
      data-secondary={isSecondary}
      data-inline={isInline}
      data-empty={shown === dash || isEmpty?.(row) === true}
      data-align={align}
    >
      <div className={classes.value}>{shown}</div>
    </Table.Td>
  )
}

function Heading<Row>({ column: { title, sort, align }, view }: { column: Column<Row>; view: ListView }) {
  if (!sort) return <Table.Th ta={align}>{title}</Table.Th>
  const isSorted = view.sort === sort
  const isUp = view.order === 'asc'
  const Arrow = !isSorted ? IconArrowsSort : isUp ? IconArrowUp : IconArrowDown
  // Up, down, and back to the order the list comes in.
  const next = !isSorted ? { sort, order: 'asc' } : isUp ? { sort, order: 'desc' } : { sort: '', order: '' }
  return (
    <Table.Th ta={align} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton className={classes.sort} data-sorted={isSorted} onClick={() => view.change(next)}>
        {title}
        <Arrow size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}

/** Nothing there at all, or nothing that fits what was asked for. */
function NothingListed({ view, empty }: { view: ListView; empty: string }) {
  const { t } = useTranslation()
  if (!view.isNarrowed) return <EmptyState title={empty} text="" />
  return (
    <EmptyState title={t('admin.list.nothing')} text={t('admin.list.nothingText')}>
      <Button variant="default" onClick={view.clear}>
        {t('admin.list.clear')}
      </Button>
    </EmptyState>
  )
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f']

function TableSkeleton() {
  return (
    <Surface aria-hidden>
      {skeletonRows.map((row) => (
        <Skeleton key={row} h={36} mb="sm" />
      ))}
    </Surface>
  )
}
