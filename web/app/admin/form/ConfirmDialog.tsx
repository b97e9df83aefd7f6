import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { RefusalAlert } from './RefusalAlert.tsx'

export interface ConfirmDialogProps {
  title: string
  children?: ReactNode
  /** What goes with it, a line each. */
  takesAlong?: readonly string[]
  /** Has to be typed before it can be pressed: for what takes much along. */
  name?: string
  confirmLabel?: string
  isBusy: boolean
  /** It can't be done now; the text says why. */
  isRefused?: boolean
  /** Why the store refused. */
  refusal?: string | undefined
  onConfirm(): void
  onClose(): void
}

/** Leaves spaces out: those between the digits of a name are ones that no keyboard has. */
const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

/** Asks before something that cannot be taken back, and says what it takes along. */
export function ConfirmDialog({ title, children, takesAlong = [], name, ...dialog }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const isNamed = name === undefined || withoutSpaces(typed) === withoutSpaces(name)
  return (
    <Dialog isOpen onClose={dialog.onClose} title={title} closeLabel={t('admin.form.cancel')}>
      <Stack>
        {children}
        {takesAlong.length > 0 && (
          <div>
            <Text>{t('admin.remove.takesAlong')}</Text>
            <List>
              {takesAlong.map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
          </div>
        )}
        {name !== undefined && (
          <TextInput
            label={t('admin.remove.typeName', { name })}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <RefusalAlert text={dialog.refusal} />
        <Group justify="flex-end">
          <Button variant="default" onClick={dialog.onClose}>
            {t('admin.form.cancel')}
          </Button>
          <Button
            color="red"
            disabled={!isNamed || dialog.isRefused}
            loading={dialog.isBusy}
            onClick={dialog.onConfirm}
          >
            {dialog.confirmLabel ?? t('admin.remove.confirm')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
