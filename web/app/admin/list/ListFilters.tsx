import { Button, NativeSelect } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FilterSelect, type ListSelect } from './FilterSelect.tsx'
import classes from './ListFilters.module.css'
import type { ListView } from './use-list-view.ts'

interface ListFiltersProps {
  view: ListView
  columns: readonly { title: string; sort?: string }[]
  selects?: readonly ListSelect[]
  children?: ReactNode
}

/**
 * The choices that narrow and order a list. On a phone they wait behind one button, so that the list itself is on the first
 * screen; those in force stay in sight, in one line.
 */
export function ListFilters({ view, columns, selects = [], children }: ListFiltersProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpened, setOpened] = useState(false)
  const sort = <SortSelect view={view} columns={columns} />
  if (selects.length === 0 && !children) return sort
  return (
    <>
      <Button
        hiddenFrom="sm"
        fullWidth
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        aria-expanded={isOpened}
        aria-controls={id}
        onClick={() => setOpened(!isOpened)}
      >
        {t('admin.list.filters')}
      </Button>
      <div id={id} className={classes.filters} data-open={isOpened}>
        {selects.map((select) => (
          <FilterSelect key={select.name} view={view} {...select} />
        ))}
        {children}
        {sort}
      </div>
    </>
  )
}

/** In which order a list comes, on a phone, where rows are cards and have no headings to press. */
function SortSelect({ view, columns }: ListFiltersProps) {
  const { t } = useTranslation()
  const ways = columns.flatMap(({ title, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `${sort} asc`, label: t('admin.list.ascending', { title }) },
          { value: `${sort} desc`, label: t('admin.list.descending', { title }) },
        ],
  )
  if (ways.length === 0) return null
  return (
    <NativeSelect
      label={t('admin.list.order')}
      hiddenFrom="md"
      flex={{ base: '1 1 max(40%, 8.5rem)', sm: 'none' }}
      wrapperProps={{ 'data-set': view.sort !== undefined }}
      value={view.sort === undefined ? '' : `${view.sort} ${view.order}`}
      onChange={(event) => {
        const [sort = '', order = ''] = event.currentTarget.value.split(' ')
        view.change({ sort, order })
      }}
      data={[{ value: '', label: t('admin.list.usualOrder') }, ...ways]}
    />
  )
}
