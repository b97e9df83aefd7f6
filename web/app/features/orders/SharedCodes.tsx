import { Alert } from '@mantine/core'
import type { SharedReceipt } from '@olmos/contract/shared-receipts'
import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { formatRecent } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { regionText } from '../../money/region-text.ts'
import { Artwork } from '../../ui/Artwork.tsx'
import { inkOn } from '../../ui/colour.ts'
import { copyText } from '../../ui/copy-text.ts'
import { redeemAddress } from './order.rules.ts'
import receiptClasses from './ReceiptItems.module.css'
import { RedeemLink } from './RedeemLink.tsx'
import classes from './SharedCodes.module.css'
import { Tickets } from './Tickets.tsx'

/** The codes of a receipt that a friend shared: each a ticket, with where and how it is redeemed. */
export function SharedCodes({ receipt }: { receipt: SharedReceipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <div className={classes.list}>
      {receipt.items.map((item) => (
        <SharedItem key={item.id} item={item} />
      ))}
      <p className={classes.until}>
        {t('shared.until', { time: formatRecent(receipt.expires_at, Date.now(), language) })}
      </p>
    </div>
  )
}

function SharedItem({ item }: { item: SharedReceipt['items'][number] }) {
  const { t } = useTranslation()
  const { title, color, image_url, activation_instructions: instructions } = item.product
  const codes = item.codes
  const address = redeemAddress(instructions)
  const isGone = codes.length === 0 && item.withheld_codes === 0 && item.held_codes === 0
  const name = [title, gameAmountText(t, item.game_amount, item.game_currency), item.region && regionText(item.region)]
  return (
    <section
      className={`cut ${classes.item}`}
      style={{ '--olmos-product': color, '--olmos-on-product': inkOn(color) } as CSSProperties}
    >
      <div className={classes.band}>
        <Artwork src={image_url} isFirst className={classes.art ?? ''} />
        <h2>{name.filter(Boolean).join(', ')}</h2>
      </div>
      <div className={classes.body}>
        {isGone && <p>{t('shared.nothing')}</p>}
        {codes.length > 0 && (
          <Tickets
            itemId={item.id}
            count={codes.length}
            codes={codes}
            onTicket={(place) => copyText(codes[place] ?? '')}
          />
        )}
        {codes.length > 0 && (address || instructions !== '') && (
          <div className={classes.redeem}>
            {address && <RedeemLink address={address} code={codes.length === 1 ? codes[0] : undefined} />}
            {instructions !== '' && <p className={receiptClasses.instructions}>{instructions}</p>}
          </div>
        )}
        {item.withheld_codes > 0 && (
          <Alert icon={<IconInfoCircle />} color="yellow" role="status">
            {t('shared.withheld', { count: item.withheld_codes })}
          </Alert>
        )}
        {item.held_codes > 0 && (
          <Alert color="yellow" icon={<IconLock />} role="status">
            {t('shared.held', { count: item.held_codes })}
          </Alert>
        )}
      </div>
    </section>
  )
}
