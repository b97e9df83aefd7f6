import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogProps {
  isOpen: boolean
  onClose(): void
  title: string
  /** Name of the cross; without one there is none, and the content holds the way out. */
  closeLabel?: string
  children: ReactNode
}

/** Something over the page that wants an answer. Focus goes in, and back to where it came from. */
export function Dialog({ isOpen, onClose, title, closeLabel, children }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      withCloseButton={closeLabel !== undefined}
      closeButtonProps={{ 'aria-label': closeLabel }}
      styles={{ title: { fontWeight: 700, fontSize: 'var(--mantine-font-size-xl)' } }}
    >
      {children}
    </Modal>
  )
}
