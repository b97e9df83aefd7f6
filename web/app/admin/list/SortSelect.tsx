import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListView } from './use-list-view.ts'

interface SortSelectProps {
  view: ListView
  columns: readonly { title: string; sort?: string }[]
}

/** In which order a list comes, on a phone, where rows are cards and have no headings to press. */
export function SortSelect({ view, columns }: SortSelectProps) {
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
      hiddenFrom="sm"
      flex="1 1 40%"
      value={view.sort === undefined ? '' : `${view.sort} ${view.order}`}
      onChange={(event) => {
        const [sort = '', order = ''] = event.currentTarget.value.split(' ')
        view.change({ sort, order })
      }}
      data={[{ value: '', label: t('admin.list.usualOrder') }, ...ways]}
    />
  )
}
