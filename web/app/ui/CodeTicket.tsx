import { IconCheck, IconCopy, IconEye } from '@tabler/icons-react'
import { type CSSProperties, Fragment, useRef, useState } from 'react'
import classes from './CodeTicket.module.css'

interface CodeTicketProps {
  /** None while it is hidden: what can't be seen is not in the page either. */
  code: string | undefined
  /** Whether its owner has marked it as used. */
  isUsed?: boolean
  /** Copies the code, and shows it before if it is hidden. Says whether it was copied; nothing when there was no code. */
  onPress(): Promise<boolean | undefined>
  /** `name` tells the tickets of a page apart; the others stand on the strip that is torn off. */
  labels: { name: string; reveal: string; copy: string; copied: string; notCopied: string }
}

const mask = '•••• •••• ••••'

/** An activation code as a ticket that is one button. It tears when the code is copied. */
export function CodeTicket({ code, isUsed = false, onPress, labels }: CodeTicketProps) {
  const [wasCopied, setCopied] = useState<boolean>()
  const [isBusy, setBusy] = useState(false)
  const shown = useRef<HTMLElement>(null)

  const press = async () => {
    if (isBusy) return
    setBusy(true)
    const outcome = await onPress()
    setBusy(false)
    setCopied(outcome)
    // Who has to copy it by hand finds it selected.
    if (outcome === false && shown.current) window.getSelection()?.selectAllChildren(shown.current)
  }
  // A code that is hidden again is to be shown before anything else.
  const isCopied = code === undefined ? undefined : wasCopied
  const said = isCopied === undefined ? (code === undefined ? labels.reveal : labels.copy) : undefined
  return (
    <div className={classes.ticket} data-copied={isCopied || undefined} data-used={isUsed || undefined}>
      <button type="button" className={classes.press} aria-busy={isBusy} onClick={press}>
        <span className="visually-hidden">{labels.name}</span>
        <span className={classes.slab}>
          {code === undefined ? (
            <span className={classes.hidden} aria-hidden>
              {mask}
            </span>
          ) : (
            <code
              ref={shown}
              className={classes.code}
              translate="no"
              style={{ '--letters': Math.max(...code.split('\n').map((line) => line.length)) } as CSSProperties}
            >
              {withBreaks(code)}
            </code>
          )}
        </span>
      </button>
      <span className={`${classes.strip} no-print`}>
        <span aria-hidden className={classes.icon}>
          {isCopied ? <IconCheck size={18} stroke={3} /> : code ? <IconCopy size={18} /> : <IconEye size={18} />}
        </span>
        {said && <span aria-hidden>{said}</span>}
        <span role="status">{isCopied !== undefined && (isCopied ? labels.copied : labels.notCopied)}</span>
      </span>
    </div>
  )
}

/** A code that is too long for its line breaks at a hyphen. */
const withBreaks = (code: string) =>
  code.split(/(?<=-)/).map((part, place) => (
    <Fragment key={`${place}${part}`}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
