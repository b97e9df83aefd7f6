import { Drawer, Group, Text } from '@mantine/core'
import { type ReactNode, useContext, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { CoveredContext } from '../../ui/covered.ts'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import classes from './SideView.module.css'

interface SideViewProps {
  title: ReactNode
  /** Name of the cross. */
  closeLabel?: string
  size?: 'lg' | 'xl'
  /** Something was typed that would be lost: a press beside it does nothing, and every other way out asks first. */
  isUnsaved?: boolean
  onClose(): void
  /** What is in it; where that has a way out of its own, it takes the one that asks. */
  children: ReactNode | ((leave: () => void) => ReactNode)
}

/** One thing of a list, or its form, at the list's side; on a phone over all of it. It is there for as long as it is rendered. */
export function SideView({ title, closeLabel, size = 'xl', isUnsaved = false, onClose, children }: SideViewProps) {
  const { t } = useTranslation()
  const isCovered = useContext(CoveredContext)
  const [isAsking, setAsking] = useState(false)
  const leave = isUnsaved ? () => setAsking(true) : onClose
  useFocusBack(true)
  return (
    <>
      <Drawer.Root
        opened
        onClose={leave}
        position="right"
        size={size}
        closeOnEscape={!isCovered && !isAsking}
        closeOnClickOutside={!isUnsaved}
      >
        <Drawer.Overlay />
        <Drawer.Content className={classes.content}>
          {/* Not the header of a Drawer, which would be a second banner of the page. */}
          <Group justify="space-between" align="flex-start" wrap="nowrap" className={classes.head}>
            <Drawer.Title fw={700} fz="xl">
              {title}
            </Drawer.Title>
            <Drawer.CloseButton aria-label={closeLabel ?? t('admin.side.close')} />
          </Group>
          <Drawer.Body>{typeof children === 'function' ? children(leave) : children}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {isAsking && (
        <ConfirmDialog
          title={t('admin.form.leaveTitle')}
          confirmLabel={t('admin.form.leave')}
          isBusy={false}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        >
          <Text>{t('admin.form.leaveText')}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
