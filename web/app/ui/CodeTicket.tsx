import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import classes from './CodeTicket.module.css'

interface CodeTicketProps {
  /** None while it is hidden: what can't be seen is not in the page either. */
  code: string | undefined
  onCopy(): void
  labels: { hidden: string; copy: string }
}

const mask = '•••• •••• ••••'

/** An activation code as a ticket. */
export function CodeTicket({ code, onCopy, labels }: CodeTicketProps) {
  return (
    <div className={classes.ticket}>
      {code === undefined ? (
        <span className={classes.hidden} role="img" aria-label={labels.hidden}>
          {mask}
        </span>
      ) : (
        <>
          <code className={classes.code} translate="no">
            {code}
          </code>
          <ActionIcon variant="subtle" size={40} className="no-print" aria-label={labels.copy} onClick={onCopy}>
            <IconCopy size={18} />
          </ActionIcon>
        </>
      )}
    </div>
  )
}
