import { useTranslation } from '../../i18n/use-translation.ts'
import { CodeTicket } from '../../ui/CodeTicket.tsx'
import classes from './ReceiptItems.module.css'

interface TicketsProps {
  count: number
  /** Those that are shown, in their order. */
  codes: readonly string[]
  /** Copies the code of the ticket, counted from 0; see `CodeTicket`. */
  onTicket(place: number): Promise<boolean | undefined>
}

/** The codes of a line of an order, each a ticket. */
export function Tickets({ count, codes, onTicket }: TicketsProps) {
  const { t } = useTranslation()
  return (
    <ul className={classes.tickets}>
      {Array.from({ length: count }, (_, place) => (
        <li key={`ticket-${place}`}>
          <CodeTicket
            code={codes[place]}
            onPress={() => onTicket(place)}
            labels={{
              name: t(codes[place] === undefined ? 'receipt.revealCode' : 'receipt.copyCode', { number: place + 1 }),
              reveal: t('receipt.reveal'),
              copy: t('receipt.copy'),
              copied: t('receipt.copied'),
              notCopied: t('receipt.notCopied'),
            }}
          />
        </li>
      ))}
    </ul>
  )
}
