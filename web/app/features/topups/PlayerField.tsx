import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@olmos/contract/limits'
import { IconCircleCheckFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { KeptAccounts } from './KeptAccounts.tsx'
import classes from './PlayerField.module.css'
import type { Game } from './topups.queries.ts'
import { type Player, usePlayerCheck } from './use-player-check.ts'

interface PlayerFieldProps {
  game: Game
  player: Player
  onChange(player: Player): void
}

/** Asks for the ID of the player, and shows the name that Find brings up for it. */
export function PlayerField({ game, player, onChange }: PlayerFieldProps) {
  const { t } = useTranslation()
  const { find, isFinding } = usePlayerCheck(game, t('topups.verifyFailed'))
  return (
    <Stack gap="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          find(player.playerId, onChange)
        }}
      >
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            flex={1}
            size="md"
            label={t('topups.playerId')}
            description={t('topups.playerIdHint')}
            inputMode="numeric"
            autoComplete="off"
            readOnly={isFinding}
            value={player.playerId}
            onChange={(event) => onChange({ playerId: onlyDigits(event.currentTarget.value), playerName: '' })}
          />
          <Button type="submit" size="md" variant="default" loading={isFinding}>
            {t('topups.find')}
          </Button>
        </Group>
      </form>
      <div role="status">{player.playerName !== '' && <FoundPlayer player={player} />}</div>
      <KeptAccounts
        service={game}
        current={player.playerId}
        onChoose={({ id }) => {
          onChange({ playerId: id, playerName: '' })
          find(id, onChange)
        }}
      />
    </Stack>
  )
}

/** Takes the digits out of a pasted text, without leading zeros, as the store keeps them. */
const onlyDigits = (text: string) =>
  text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, LIMITS.playerIdMax)

function FoundPlayer({ player }: { player: Player }) {
  const { t } = useTranslation()
  return (
    <div className={classes.found}>
      <span className={classes.avatar} aria-hidden>
        {[...player.playerName][0]?.toUpperCase()}
      </span>
      <Box flex={1} miw={0}>
        <Text size="sm" c="dimmed">
          {t('topups.playerFound')}
        </Text>
        <Text fw={700} translate="no">
          {player.playerName}
        </Text>
      </Box>
      <IconCircleCheckFilled size={22} color="var(--olmos-good)" aria-hidden style={{ flexShrink: 0 }} />
    </div>
  )
}
