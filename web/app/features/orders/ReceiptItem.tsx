import { Alert, Group, Text, Title } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { inkOn } from '../../ui/colour.ts'
import { ItemOutcome } from './ItemOutcome.tsx'
import { ItemReview } from './ItemReview.tsx'
import { redeemAddress } from './order.rules.ts'
import classes from './ReceiptItems.module.css'
import { RedeemLink } from './RedeemLink.tsx'
import { Tickets } from './Tickets.tsx'
import { TopupSteps } from './TopupSteps.tsx'

interface ReceiptItemProps {
  orderId: string
  item: Receipt['items'][number]
  currency: Receipt['currency']
  /** Whether the order has other lines, from which this one has to be told apart. */
  isOneOfMany: boolean
  /** How many tickets there are; their codes may not be here yet. */
  tickets: number
  /** Whether its steps of activation are folded. */
  isBrief: boolean
  areCodesShown: boolean
  /** Whether one of its codes was copied: where it is redeemed is what to press next then. */
  isCopied: boolean
  /** Copies the code of the ticket, counted from 0, and shows it before. */
  onTicket(place: number): Promise<boolean | undefined>
}

/** One line of an order: what it is, its codes, and how to use them. */
export function ReceiptItem({ orderId, item, currency, ...props }: ReceiptItemProps) {
  const { t } = useTranslation()
  const { isOneOfMany, tickets, areCodesShown } = props
  const codes = areCodesShown ? item.codes : []
  const { color, activation_instructions: instructions } = item.product
  const address = redeemAddress(instructions)
  const hasOutcome = item.refunded_to !== null || item.partial_refunds.length > 0
  return (
    <section
      className={classes.item}
      style={{ '--olmos-product': color, '--olmos-on-product': inkOn(color) } as CSSProperties}
    >
      <div className={classes.what}>
        {isOneOfMany && (
          <div>
            <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap">
              <Title order={2} size="h4">
                {item.product.title}
              </Title>
              <Text size="sm">
                <Amount value={item.amount} currency={currency} />
              </Text>
            </Group>
            <Text>
              <OfferName item={item} />
            </Text>
            <TopupTarget topup={item.topup_data} />
          </div>
        )}
        {(isOneOfMany || hasOutcome) && <ItemOutcome item={item} currency={currency} hasState={isOneOfMany} />}
        {tickets > 0 && <Tickets itemId={item.id} count={tickets} codes={codes} onTicket={props.onTicket} />}
        {tickets > 0 && address && (
          <RedeemLink address={address} code={tickets === 1 ? codes[0] : undefined} isNext={props.isCopied} />
        )}
        {item.withheld_codes > 0 && (
          <Alert icon={<IconInfoCircle />} color="yellow" role="status">
            {t('receipt.withheld', { count: item.withheld_codes })}
          </Alert>
        )}
        {item.held_codes > 0 && (
          <Alert color="yellow" icon={<IconLock />} role="status">
            {t('receipt.heldCodes', { count: item.held_codes })}
          </Alert>
        )}
        {(item.item_type === 'topup' || item.steps.length > 0) && <TopupSteps item={item} />}
      </div>
      <div className={classes.how}>
        {item.status === 'delivered' && instructions !== '' && (
          <details open={!props.isBrief}>
            <summary className={`unfold ${classes.summary}`}>{t('product.instructions')}</summary>
            <p className={classes.instructions}>{instructions}</p>
          </details>
        )}
        <ItemReview orderId={orderId} item={item} />
      </div>
    </section>
  )
}
