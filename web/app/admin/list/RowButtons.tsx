import { ActionIcon } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'

interface RowButtonsProps {
  /** Tells screen readers which row a button belongs to. */
  name: string
  onEdit?(): void
  onRemove?(): void
  /** What else can be done with it, before these two. */
  children?: ReactNode
}

export function RowButtons({ name, onEdit, onRemove, children }: RowButtonsProps) {
  const { t } = useTranslation()
  return (
    <>
      {children}
      {onEdit && <RowButton icon={IconPencil} label={t('admin.list.edit', { name })} onClick={onEdit} />}
      {onRemove && (
        <RowButton icon={IconTrash} label={t('admin.list.remove', { name })} color="red" onClick={onRemove} />
      )}
    </>
  )
}

interface RowButtonProps {
  icon: Icon
  label: string
  color?: string
  onClick(): void
}

export function RowButton({ icon: ButtonIcon, label, color = 'gray', onClick }: RowButtonProps) {
  return (
    <ActionIcon variant="subtle" color={color} size="lg" aria-label={label} onClick={onClick}>
      <ButtonIcon size={18} />
    </ActionIcon>
  )
}

interface PlaceButtonsProps {
  name: string
  /** Absent where the row is the first already. */
  onUp: (() => void) | undefined
  /** Absent where the row is the last already. */
  onDown: (() => void) | undefined
}

/** Moves a row of an ordered list by one place. */
export function PlaceButtons({ name, onUp, onDown }: PlaceButtonsProps) {
  const { t } = useTranslation()
  return (
    <>
      {onUp && <RowButton icon={IconArrowUp} label={t('admin.list.moveUp', { name })} onClick={onUp} />}
      {onDown && <RowButton icon={IconArrowDown} label={t('admin.list.moveDown', { name })} onClick={onDown} />}
    </>
  )
}
