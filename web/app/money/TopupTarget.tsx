import { Text } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { useTranslation } from 'react-i18next'

/** For whom a top-up is: the name the game tells, and the account itself. */
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
