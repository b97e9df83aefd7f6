import { Drawer, Group } from '@mantine/core'
import { type ReactNode, useContext } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { CoveredContext } from '../../ui/covered.ts'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import classes from './SideView.module.css'

interface SideViewProps {
  title: ReactNode
  /** Name of the cross. */
  closeLabel?: string
  size?: 'lg' | 'xl'
  onClose(): void
  children: ReactNode
}

/** One thing of a list, or its form, at the list's side; on a phone over all of it. It is there for as long as it is rendered. */
export function SideView({ title, closeLabel, size = 'xl', onClose, children }: SideViewProps) {
  const { t } = useTranslation()
  const isCovered = useContext(CoveredContext)
  useFocusBack(true)
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={size} closeOnEscape={!isCovered}>
      <Drawer.Overlay />
      <Drawer.Content className={classes.content}>
        {/* Not the header of a Drawer, which would be a second banner of the page. */}
        <Group justify="space-between" align="flex-start" wrap="nowrap" className={classes.head}>
          <Drawer.Title fw={700} fz="xl">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={closeLabel ?? t('admin.side.close')} />
        </Group>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
