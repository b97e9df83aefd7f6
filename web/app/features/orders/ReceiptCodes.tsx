import { Alert, Button } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconCopy, IconEye, IconEyeOff, IconInfoCircle, IconPrinter, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { copyComing, copyText } from '../../ui/copy-text.ts'
import { canShare, shareText } from '../../ui/share-text.ts'
import { copiedCode, copiedCodes, mayHaveCodes, oneOrMore } from './order.rules.ts'
import { ReceiptItem } from './ReceiptItem.tsx'
import classes from './ReceiptItems.module.css'
import { ShareReceipt } from './ShareReceipt.tsx'

interface ReceiptCodesProps {
  order: Receipt
  /** Reads the order with its codes, where it came without them. */
  onReveal: (() => Promise<Receipt>) | undefined
  /** Whether it stands above a list, and shows what one needs right after paying. */
  isBrief: boolean
}

type Item = Receipt['items'][number]
type Trouble = 'receipt.failed' | 'receipt.notCopied' | 'receipt.notShared'

/** Nothing is copied then; the item says why its code can't be seen. */
const withheld = new Error('no code in this place')

/** The items of an order, and what can be done with their codes. */
export function ReceiptCodes({ order, onReveal, isBrief }: ReceiptCodesProps) {
  const { t } = useTranslation()
  const [areShown, setShown] = useState(false)
  const [copied, setCopied] = useState<number>()
  const [trouble, setTrouble] = useState<Trouble>()
  const toAmount = (item: Item) => gameAmountText(t, item.game_amount, item.game_currency)
  const countTickets = (item: Item) => {
    if (!onReveal) return item.codes.length
    return item.item_type === 'code' && item.status === 'delivered' ? item.quantity : 0
  }
  const tickets = order.items.reduce((sum, item) => sum + countTickets(item), 0)

  /** Shows the codes, which are read now where they are not here yet. */
  const reveal = async (): Promise<Receipt> => {
    const revealed = onReveal ? await onReveal() : order
    setShown(true)
    return revealed
  }
  const press = async ({ id }: Item, place: number): Promise<boolean | undefined> => {
    setTrouble(undefined)
    const coming = reveal().then(({ items }) => {
      const item = items.find((one) => one.id === id)
      const code = item?.codes[place]
      if (!item || code === undefined) throw withheld
      return copiedCode(item, code, toAmount(item))
    })
    try {
      const isCopied = await copyComing(coming)
      if (isCopied) setCopied(id)
      return isCopied
    } catch (error) {
      if (error !== withheld) setTrouble('receipt.failed')
      return undefined
    }
  }
  const show = () => reveal().catch(() => setTrouble('receipt.failed'))
  const codesText = () => copiedCodes(order, toAmount)
  const share = async () => setTrouble((await shareText(codesText())) ? undefined : 'receipt.notShared')

  return (
    <>
      {tickets === 0 && mayHaveCodes(order) && (
        <Alert icon={<IconInfoCircle />} role="status">
          {t('receipt.noCodes')}
        </Alert>
      )}
      {order.items.map((item) => (
        <ReceiptItem
          key={item.id}
          orderId={order.id}
          item={item}
          currency={order.currency}
          isOneOfMany={order.items.length > 1}
          tickets={countTickets(item)}
          isBrief={isBrief}
          areCodesShown={areShown}
          isCopied={copied === item.id}
          onTicket={(place) => press(item, place)}
        />
      ))}
      {trouble && (
        <Alert color="red" role="alert">
          {t(trouble)}
        </Alert>
      )}
      {tickets > 0 && (areShown || !isBrief) && (
        <div className={`${classes.tools} no-print`}>
          <Button
            variant="default"
            data-reveal
            leftSection={areShown ? <IconEyeOff size={18} /> : <IconEye size={18} />}
            onClick={() => (areShown ? setShown(false) : show())}
          >
            {t(areShown ? 'receipt.hide' : 'receipt.show', { count: oneOrMore(tickets) })}
          </Button>
          {areShown && !(isBrief && tickets === 1) && <CopyAll onCopy={() => copyText(codesText())} />}
          {areShown && !isBrief && canShare() && (
            <Button variant="default" leftSection={<IconShare size={18} />} onClick={share}>
              {t('receipt.share')}
            </Button>
          )}
          {!isBrief && (
            <>
              <ShareReceipt orderId={order.id} />
              <Button
                variant="default"
                className={classes.print ?? ''}
                leftSection={<IconPrinter size={18} />}
                onClick={() => window.print()}
              >
                {t('receipt.print')}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  )
}

/** Copies everything, and says so in its own place. */
function CopyAll({ onCopy }: { onCopy(): Promise<boolean> }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState<boolean>()
  return (
    <>
      <Button variant="default" leftSection={<IconCopy size={18} />} onClick={async () => setCopied(await onCopy())}>
        {t('receipt.copyAll')}
      </Button>
      <span role="status" className={classes.said}>
        {isCopied !== undefined && t(isCopied ? 'receipt.copied' : 'receipt.notCopied')}
      </span>
    </>
  )
}
