import { Text } from '@mantine/core'
import type { ShownTopup } from '@olmos/contract/topup-data'
import { useTranslation } from '../i18n/use-translation.ts'

interface TopupTargetProps {
  topup: ShownTopup | null
  /** Whether it stands on the colour of its game, where nothing is grey. */
  isOnColor?: boolean
}

/** Names the recipient of a top-up: the player's name, as far as the game gives it, and the account. */
export function TopupTarget({ topup, isOnColor = false }: TopupTargetProps) {
  const { t } = useTranslation()
  if (!topup) return null
  const account = accountText(topup)
  const { player_name: name } = topup
  return (
    <Text c={isOnColor ? 'inherit' : 'dimmed'} size="sm" translate="no">
      {t('topups.forAccount', { account: name ? `${name} (${account})` : account })}
    </Text>
  )
}

/** Says what each part of an account is, where it has several: `User ID 51234567, Zone ID 2001`. */
function accountText({ account, player_id: text }: ShownTopup): string {
  if (account.length === 1) return account[0]?.value ?? text
  return account.map(({ label, value }) => `${label} ${value}`).join(', ') || text
}
