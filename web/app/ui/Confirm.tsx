import { Button, Group, Text } from '@mantine/core'
import { Dialog } from './Dialog.tsx'

interface ConfirmProps {
  isOpen: boolean
  onClose(): void
  onConfirm(): void
  /** Whether the yes takes something away, or buys what is wanted: red is for loss. */
  tone?: 'loss' | 'wish'
  texts: { title: string; text: string; confirm: string; cancel: string }
}

/** Asks before something that cannot be taken back. */
export function Confirm({ isOpen, onClose, onConfirm, tone = 'loss', texts }: ConfirmProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.title} closeLabel={texts.cancel}>
      <Text mb="lg">{texts.text}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button {...(tone === 'loss' && { color: 'red' })} onClick={onConfirm}>
          {texts.confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
