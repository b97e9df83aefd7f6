import { NativeSelect } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ListView } from './use-list-view.ts'

export interface Option {
  value: string
  label: string
}

/** A choice that narrows a list. */
export interface ListSelect {
  /** The parameter of the address it sets. */
  name: string
  label: string
  options: readonly Option[]
}

/** What to choose from, by the names that a table knows; `label` says each in words. */
export const toOptions = <Name extends string>(known: Readonly<Record<Name, unknown>>, label: (name: Name) => string) =>
  (Object.keys(known) as Name[]).map((value) => ({ value, label: label(value) }))

/** Rows to choose from by their ids; none while they are not loaded. */
export const toIdOptions = (rows: readonly { id: number; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: String(id), label: name }))

/** Narrows a list to one of a few things, or to none of them. */
export function FilterSelect({ view, name, label, options }: ListSelect & { view: ListView }) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={label}
      flex={{ base: '1 1 max(40%, 8.5rem)', sm: '0 0 auto' }}
      // As wide as its longest choice otherwise, and names may have 200 letters.
      maw={{ base: '100%', sm: 280 }}
      wrapperProps={{ 'data-set': view.filter(name) !== '' }}
      value={view.filter(name)}
      onChange={(event) => view.change({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: t('admin.list.all') }, ...options]}
    />
  )
}
