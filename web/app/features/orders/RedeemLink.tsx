import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { redeemLink } from './order.rules.ts'
import classes from './ReceiptItems.module.css'

interface RedeemLinkProps {
  /** As the steps name it: `roblox.com/redeem`. */
  address: string
  /** Taken along where the address wants it. */
  code: string | undefined
  /** Whether it is what to press next. */
  isNext?: boolean
}

/** Opens the page on which a code is redeemed. */
export function RedeemLink({ address, code, isNext = false }: RedeemLinkProps) {
  const { t } = useTranslation()
  return (
    <Button
      component="a"
      href={redeemLink(address, code)}
      target="_blank"
      rel="noopener noreferrer"
      size="md"
      variant={isNext ? 'filled' : 'default'}
      rightSection={<IconExternalLink size={18} aria-hidden />}
      className={`no-print ${classes.redeem}`}
    >
      {t('receipt.openRedeem', { address: address.replace(/\/$/, '') })}
    </Button>
  )
}
