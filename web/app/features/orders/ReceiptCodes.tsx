import { Alert, Button, Group, Stack } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconCopy, IconEye, IconEyeOff, IconInfoCircle, IconPrinter, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { copyText } from '../../ui/copy-text.ts'
import { canShare, shareText } from '../../ui/share-text.ts'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { allCodes, copiedCodes, mayHaveCodes } from './order.rules.ts'
import { ReceiptItem } from './ReceiptItem.tsx'

/** The items of a receipt, and what can be done with their codes. */
export function ReceiptCodes({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  const [areShown, setShown] = useState(false)
  const codes = allCodes(order)
  const codesText = () => copiedCodes(order, (item) => gameAmountText(t, item.game_amount, item.game_currency))

  const copy = async (text: string) => {
    const isCopied = await copyText(text)
    if (isCopied) toastSuccess(t('receipt.copied'))
    else toastError(t('receipt.notCopied'))
  }
  const share = async (text: string) => {
    if (!(await shareText(text))) toastError(t('receipt.notShared'))
  }

  return (
    <Stack>
      {codes.length > 0 && (
        <Group className="no-print" gap={8}>
          <Button
            px="sm"
            leftSection={areShown ? <IconEyeOff size={18} /> : <IconEye size={18} />}
            onClick={() => setShown(!areShown)}
          >
            {t(areShown ? 'receipt.hide' : 'receipt.show', { count: codes.length })}
          </Button>
          {areShown && (
            <Button px="sm" variant="default" leftSection={<IconCopy size={18} />} onClick={() => copy(codesText())}>
              {t('receipt.copyAll')}
            </Button>
          )}
          {areShown && canShare() && (
            <Button px="sm" variant="default" leftSection={<IconShare size={18} />} onClick={() => share(codesText())}>
              {t('receipt.share')}
            </Button>
          )}
          <Button px="sm" variant="default" leftSection={<IconPrinter size={18} />} onClick={() => window.print()}>
            {t('receipt.print')}
          </Button>
        </Group>
      )}
      {codes.length === 0 && mayHaveCodes(order) && (
        <Alert icon={<IconInfoCircle />} role="status">
          {t('receipt.noCodes')}
        </Alert>
      )}
      {order.items.map((item) => (
        <ReceiptItem key={item.id} item={item} currency={order.currency} areCodesShown={areShown} onCopy={copy} />
      ))}
    </Stack>
  )
}
