import { ActionIcon } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'

interface RowButtonsProps {
  /** Tells screen readers which row a button belongs to. */
  name: string
  /** In an ordered list: where the row stands, from 0, among how many, and what moves it by one place. */
  place?: { index: number; count: number; onMove(to: number): void }
  onEdit?(): void
  onRemove?(): void
  /** What else can be done with it, before these. */
  children?: ReactNode
}

export function RowButtons({ name, place, onEdit, onRemove, children }: RowButtonsProps) {
  const { t } = useTranslation()
  return (
    <>
      {children}
      {place && place.index > 0 && (
        <RowButton
          icon={IconArrowUp}
          label={t('admin.list.moveUp', { name })}
          onClick={() => place.onMove(place.index - 1)}
        />
      )}
      {place && place.index < place.count - 1 && (
        <RowButton
          icon={IconArrowDown}
          label={t('admin.list.moveDown', { name })}
          onClick={() => place.onMove(place.index + 1)}
        />
      )}
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
