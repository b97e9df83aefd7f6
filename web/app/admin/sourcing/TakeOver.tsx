import { Button, Group, Input, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import type { TakenOver } from '@olmos/contract/take-over'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import type { ChosenGame, ChosenGames } from './chosen-games.ts'
import { type PricesFrom, takeOverGames } from './sourcing.queries.ts'
import { TakeOverPrices } from './TakeOverPrices.tsx'
import { type GameResult, TakeOverResults } from './TakeOverResults.tsx'

const usualMargin = 20

interface TakeOverProps {
  supplier: string
  chosen: ChosenGames
  onChange(chosen: ChosenGames): void
  /** Opens the packages of a game, to choose among them. */
  onOpen(service: SupplierService): void
}

/** Everything that decides what a preview shows. */
const toKey = (chosen: ChosenGames, prices: PricesFrom): string =>
  JSON.stringify([
    prices,
    [...chosen.values()].map(({ service, ...game }) => ({ ...game, service: service.reference })),
  ])

/**
 * Takes over what was ticked. Prices come from the rules of the shop or from a margin, and are all shown before anything is
 * made; then it says what became of each game.
 */
export function TakeOver({ supplier, chosen, onChange, onOpen }: TakeOverProps) {
  const { t } = useTranslation()
  const [done, setDone] = useState(0)
  const [results, setResults] = useState<readonly GameResult[]>([])
  const [from, setFrom] = useState<'rule' | 'margin'>('rule')
  const [margin, setMargin] = useState<number | string>(usualMargin)
  const [shown, setShown] = useState<string>()
  const prices: PricesFrom = from === 'rule' ? { priceMode: 'rule' } : { marginPercent: Number(margin) }
  const key = toKey(chosen, prices)
  const action = useAdminAction({
    noun: 'sourcing',
    send: async (games: readonly ChosenGame[]) => {
      setDone(0)
      return { games, answers: await takeOverGames(supplier, { games, prices, onProgress: setDone }) }
    },
    done: t('admin.sourcing.takenOver'),
    onDone: ({ games, answers }) => {
      const fresh = games.map((game) => ({ game, answers: answersAbout(game, answers) }))
      const others = results.filter(({ game }) => !games.some((one) => isSameGame(one, game)))
      setResults([...others, ...fresh])
      setShown(undefined)
      onChange(
        new Map([...chosen].filter(([reference]) => !games.some(({ service }) => service.reference === reference))),
      )
    },
  })
  const count = chosen.size
  const isReady = count > 0 && (from === 'rule' || margin !== '')
  const change = (game: ChosenGame) => {
    const next = new Map(chosen).set(game.service.reference, game)
    onChange(next)
    setShown(toKey(next, prices))
  }
  return (
    <Stack mb="md">
      <Surface>
        <Stack align="flex-start">
          <Input.Wrapper
            label={t('admin.sourcing.pricesFrom')}
            labelElement="div"
            description={t(from === 'rule' ? 'admin.sourcing.byRuleHint' : 'admin.sourcing.byMarginHint')}
          >
            <SegmentedControl
              aria-label={t('admin.sourcing.pricesFrom')}
              mt="xs"
              value={from}
              onChange={(next) => setFrom(next === 'rule' ? 'rule' : 'margin')}
              data={[
                { value: 'rule', label: t('admin.sourcing.byRule') },
                { value: 'margin', label: t('admin.sourcing.byMargin') },
              ]}
            />
          </Input.Wrapper>
          {from === 'margin' && (
            <DecimalInput
              label={t('admin.sourcing.margin')}
              description={t('admin.sourcing.marginHint')}
              min={0}
              max={LIMITS.marginPercentMax}
              decimalScale={2}
              allowNegative={false}
              hideControls
              suffix=" %"
              value={margin}
              onChange={setMargin}
            />
          )}
          <Group>
            <Button variant="default" disabled={!isReady || shown === key} onClick={() => setShown(key)}>
              {t('admin.sourcing.showPrices', { count })}
            </Button>
            {count === 0 && (
              <Text size="sm" c="dimmed">
                {t('admin.sourcing.tickFirst')}
              </Text>
            )}
          </Group>
        </Stack>
      </Surface>
      {shown === key && count > 0 && (
        <TakeOverPrices
          key={key}
          supplier={supplier}
          wanted={{ games: [...chosen.values()], prices }}
          wantedKey={key}
          isBusy={action.isPending}
          onChange={change}
          onOpen={onOpen}
          onTakeOver={action.mutate}
        />
      )}
      {action.isPending && (
        <Progress
          aria-label={t('admin.sourcing.takingOver')}
          value={(done / Math.max(1, action.variables.length)) * 100}
        />
      )}
      <RefusalAlert text={action.refusal} />
      {results.length > 0 && (
        <TakeOverResults
          results={results}
          isBusy={action.isPending}
          onOpen={onOpen}
          onRetry={(game) => action.mutate([game])}
          onClose={() => setResults([])}
        />
      )}
    </Stack>
  )
}

const isSameGame = (one: ChosenGame, other: ChosenGame) => one.service.reference === other.service.reference
const answersAbout = ({ service }: ChosenGame, answers: readonly TakenOver[]) =>
  answers.filter((answer) => answer.service === service.reference)
