import { Text } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { useTranslation } from 'react-i18next'

/** Names the recipient of a top-up: the player's name, as far as the game gives it, and the account. */
export function TopupTarget({ topup }: { topup: CartItem['topup_data'] }) {
  const { t } = useTranslation()
  if (!topup) return null
  const { player_id: id, player_name: name } = topup
  return (
    <Text c="dimmed" size="sm" translate="no">
      {t('topups.forAccount', { account: name ? `${name} (${id})` : id })}
    </Text>
  )
}
