import { Alert, Box, Group, Stack, Text, Title } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { gameAmountText } from '../../money/game-number.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { CodeTicket } from '../../ui/CodeTicket.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { ItemOutcome } from './ItemOutcome.tsx'
import { copiedCode, readCodes } from './order.rules.ts'
import { TopupSteps } from './TopupSteps.tsx'

interface ReceiptItemProps {
  item: Receipt['items'][number]
  currency: Receipt['currency']
  areCodesShown: boolean
  onCopy(text: string): void
}

/** One line of the receipt: what it is, its codes, and how to use them. */
export function ReceiptItem({ item, currency, areCodesShown, onCopy }: ReceiptItemProps) {
  const { t } = useTranslation()
  const amount = gameAmountText(t, item.game_amount, item.game_currency)
  const instructions = item.product.activation_instructions
  return (
    <Surface style={{ '--olmos-product': item.product.color }}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Thumbnail src={item.product.image_url} />
        <Box flex={1} miw={0}>
          <Title order={2} size="h4">
            {item.product.title}
          </Title>
          <Text c="dimmed">
            <OfferName item={item} />
          </Text>
          <TopupTarget topup={item.topup_data} />
        </Box>
      </Group>
      <Group justify="space-between" align="flex-start" my="sm" gap="xs">
        <ItemOutcome item={item} currency={currency} />
        <Text fw={700}>
          <Amount value={item.amount} currency={currency} />
        </Text>
      </Group>
      <Stack gap="xs">
        {readCodes(item.code).map((code, index) => (
          <CodeTicket
            key={code}
            code={areCodesShown ? code : undefined}
            onCopy={() => onCopy(copiedCode(item, code, amount))}
            labels={{
              hidden: t('receipt.hiddenCode', { number: index + 1 }),
              copy: t('receipt.copyCode', { number: index + 1 }),
            }}
          />
        ))}
      </Stack>
      {item.withheld_codes > 0 && (
        <Alert icon={<IconInfoCircle />} color="yellow" role="status">
          {t('receipt.withheld', { count: item.withheld_codes })}
        </Alert>
      )}
      {item.held_codes > 0 && (
        <Alert mt="xs" color="yellow" icon={<IconLock />} role="status">
          {t('receipt.heldCodes', { count: item.held_codes })}
        </Alert>
      )}
      {(item.item_type === 'topup' || item.steps.length > 0) && <TopupSteps item={item} />}
      {item.status === 'delivered' && instructions !== '' && (
        <Box mt="md">
          <Title order={3} size="h5" mb={4}>
            {t('product.instructions')}
          </Title>
          <Text style={{ whiteSpace: 'pre-line' }}>{instructions}</Text>
        </Box>
      )}
    </Surface>
  )
}
