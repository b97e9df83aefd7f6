import { Button } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../session/profile.ts'
import { AdminTable, type AdminTableProps } from './AdminTable.tsx'
import { RowButtons } from './RowButtons.tsx'

interface EditableTableProps<Row> extends Omit<AdminTableProps<Row>, 'onOpen' | 'actions' | 'head'> {
  addLabel: string
  /** Without it nothing is added or edited. */
  permission: Permission
  /** Without it nothing is deleted; the same one, unless it says otherwise. */
  removePermission?: Permission
  /** Other ways to add to the list, before the usual one. */
  moreHead?: ReactNode
  /** Tells screen readers which row a button belongs to. */
  toName(row: Row): string
  /** The form of a row, or of a new one. */
  form(row: Row | undefined, close: () => void): ReactNode
  removeDialog(row: Row, close: () => void): ReactNode
  /** All of them, unless it says otherwise. */
  isRemovable?(row: Row): boolean
  /** Buttons before those that edit and delete. */
  moreButtons?(row: Row): ReactNode
}

/** A list whose rows are added, edited and deleted, each in a form or dialog over the list. */
export function EditableTable<Row extends { id: number }>(props: EditableTableProps<Row>) {
  const { addLabel, permission, removePermission = permission, moreHead, toName, form, removeDialog, ...rest } = props
  const { isRemovable, moreButtons, ...table } = rest
  const [edited, setEdited] = useState<Row | 'new'>()
  const [removed, setRemoved] = useState<Row>()
  const may = useMay()
  const mayEdit = may(permission)
  const mayRemove = may(removePermission)
  if (!mayEdit && !mayRemove) return <AdminTable {...table} />
  return (
    <>
      <AdminTable
        {...table}
        {...(mayEdit && { onOpen: (row: Row) => setEdited(row) })}
        head={
          mayEdit && (
            <>
              {moreHead}
              <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
                {addLabel}
              </Button>
            </>
          )
        }
        actions={(row) => (
          <RowButtons
            name={toName(row)}
            {...(mayEdit && { onEdit: () => setEdited(row) })}
            {...(mayRemove && (!isRemovable || isRemovable(row)) && { onRemove: () => setRemoved(row) })}
          >
            {mayEdit && moreButtons?.(row)}
          </RowButtons>
        )}
      />
      {edited && form(edited === 'new' ? undefined : edited, () => setEdited(undefined))}
      {removed && removeDialog(removed, () => setRemoved(undefined))}
    </>
  )
}
