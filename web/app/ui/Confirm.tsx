import { Button, Group, Text } from '@mantine/core'
import { Dialog } from './Dialog.tsx'

interface ConfirmProps {
  isOpen: boolean
  onClose(): void
  onConfirm(): void
  texts: { title: string; text: string; confirm: string; cancel: string }
}

/** Asks before something that cannot be taken back. */
export function Confirm({ isOpen, onClose, onConfirm, texts }: ConfirmProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.title} closeLabel={texts.cancel}>
      <Text mb="lg">{texts.text}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button color="red" onClick={onConfirm}>
          {texts.confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
