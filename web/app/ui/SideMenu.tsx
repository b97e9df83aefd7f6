import { IconX } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useId } from 'react'
import { IconPress } from './Press.tsx'
import classes from './SideMenu.module.css'

interface SideMenuProps {
  title: string
  closeLabel: string
  onClose(): void
  /** How it lies over the page; at its side by default. */
  className?: string | undefined
  children: ReactNode
}

/** Lies over the page. The browser keeps focus in it, closes it by Escape and returns focus afterwards. */
export function SideMenu({ title, closeLabel, onClose, className = classes.menu, children }: SideMenuProps) {
  const titleId = useId()
  const pressOutside = (event: MouseEvent) => event.target === event.currentTarget && onClose()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a press outside does
    <dialog ref={openModal} className={className} aria-labelledby={titleId} onClose={onClose} onClick={pressOutside}>
      <div className={classes.content}>
        <div className={classes.head}>
          <span id={titleId}>{title}</span>
          <IconPress aria-label={closeLabel} onClick={onClose} className={classes.close}>
            <IconX aria-hidden />
          </IconPress>
        </div>
        {children}
      </div>
    </dialog>
  )
}

function openModal(dialog: HTMLDialogElement) {
  dialog.showModal()
  return () => dialog.close()
}
