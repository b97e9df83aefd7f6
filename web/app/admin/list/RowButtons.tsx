import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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
      {onEdit && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('admin.list.edit', { name })}
          onClick={onEdit}
        >
          <IconPencil size={18} />
        </ActionIcon>
      )}
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={t('admin.list.remove', { name })}
          onClick={onRemove}
        >
          <IconTrash size={18} />
        </ActionIcon>
      )}
    </>
  )
}
