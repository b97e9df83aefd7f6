import { useTranslation } from '../../i18n/use-translation.ts'
import { CodeTicket } from '../../ui/CodeTicket.tsx'
import classes from './ReceiptItems.module.css'
import { useUsedCodes } from './used-codes.ts'

interface TicketsProps {
  /** The line of the order that the codes are of. */
  itemId: number
  count: number
  /** Those that are shown, in their order. */
  codes: readonly string[]
  /** Copies the code of the ticket, counted from 0; see `CodeTicket`. */
  onTicket(place: number): Promise<boolean | undefined>
}

/** The codes of a line of an order, each a ticket that can be marked as used once its code is shown. */
export function Tickets({ itemId, count, codes, onTicket }: TicketsProps) {
  const { t } = useTranslation()
  const { isUsed, mark } = useUsedCodes(itemId)
  return (
    <ul className={classes.tickets} data-tickets>
      {Array.from({ length: count }, (_, place) => (
        <li key={`ticket-${place}`}>
          <CodeTicket
            code={codes[place]}
            isUsed={isUsed(place)}
            onPress={() => onTicket(place)}
            labels={{
              name: t(codes[place] === undefined ? 'receipt.revealCode' : 'receipt.copyCode', { number: place + 1 }),
              reveal: t('receipt.reveal'),
              copy: t('receipt.copy'),
              copied: t('receipt.copied'),
              notCopied: t('receipt.notCopied'),
            }}
          />
          {(codes[place] !== undefined || isUsed(place)) && (
            <label className={`${classes.used} no-print`}>
              <input
                type="checkbox"
                aria-label={t('receipt.usedCode', { number: place + 1 })}
                checked={isUsed(place)}
                onChange={(event) => mark(place, event.currentTarget.checked)}
              />
              {t('receipt.used')}
            </label>
          )}
        </li>
      ))}
    </ul>
  )
}
