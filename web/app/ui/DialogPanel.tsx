import { Group, Modal } from '@mantine/core'
import { type ReactNode, useContext } from 'react'
import { CoveredContext } from './covered.ts'

export interface DialogProps {
  isOpen: boolean
  onClose(): void
  title: string
  /** Label of the close button; without it there is none, and the content has a way out. */
  closeLabel?: string
  children: ReactNode
}

/** What a dialog is made of: pages fetch it when their first one opens. */
export function DialogPanel({ isOpen, onClose, title, closeLabel, children }: DialogProps) {
  const isCovered = useContext(CoveredContext)
  return (
    // A press beside it is no wish to leave: what was typed would be lost.
    <Modal.Root opened={isOpen} onClose={onClose} centered closeOnEscape={!isCovered} closeOnClickOutside={false}>
      <Modal.Overlay />
      <Modal.Content bg="var(--olmos-surface)" bd="1px solid var(--olmos-line)">
        <Modal.Body p="md">
          {/* Not the header of a Modal, which would be a second banner of the page. */}
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb="md">
            <Modal.Title fw={700} fz="min(var(--mantine-font-size-xl), 8.5vw)">
              {title}
            </Modal.Title>
            {closeLabel !== undefined && <Modal.CloseButton size="lg" aria-label={closeLabel} />}
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
