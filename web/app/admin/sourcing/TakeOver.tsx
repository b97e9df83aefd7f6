import { Alert, Anchor, Button, Group, List, Progress, Stack, Switch, Text, Title } from '@mantine/core'
import type { SupplierService, TakenOver } from '@olmos/contract/sourcing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { fieldsView, productPath } from '../products/products.queries.ts'
import type { ChosenGame, ChosenGames } from './chosen-games.ts'
import { takeOverGames } from './sourcing.queries.ts'

interface TakeOverProps {
  supplier: string
  /** In percent of the cost; blank while it is typed. */
  margin: number | string
  onMargin(margin: number | string): void
  chosen: ChosenGames
  onChange(chosen: ChosenGames): void
  /** Opens the packages of a game, to choose among them. */
  onOpen(service: SupplierService): void
}

/** Takes over what was ticked, at a margin on its cost, and says what became of each game. */
export function TakeOver({ supplier, margin, onMargin, chosen, onChange, onOpen }: TakeOverProps) {
  const { t } = useTranslation()
  const [done, setDone] = useState(0)
  const [results, setResults] = useState<readonly Result[]>([])
  const [isByRule, setByRule] = useState(false)
  const action = useAdminAction({
    noun: 'sourcing',
    send: async (games: readonly ChosenGame[]) => {
      setDone(0)
      const answers = await takeOverGames(supplier, {
        games,
        ...(isByRule ? { priceMode: 'rule' } : { marginPercent: Number(margin) }),
        onProgress: setDone,
      })
      return { games, answers }
    },
    done: t('admin.sourcing.takenOver'),
    onDone: ({ games, answers }) => {
      const fresh = games.map((game) => ({ game, answers: answersAbout(game, answers) }))
      const others = results.filter(({ game }) => !games.some((one) => isSameGame(one, game)))
      setResults([...others, ...fresh])
      onChange(
        new Map([...chosen].filter(([reference]) => !games.some(({ service }) => service.reference === reference))),
      )
    },
  })
  const count = chosen.size
  return (
    <Stack mb="md">
      <Surface>
        <Group align="flex-end">
          <DecimalInput
            label={t('admin.sourcing.margin')}
            description={t('admin.sourcing.marginHint')}
            min={0}
            max={1_000}
            decimalScale={2}
            allowNegative={false}
            hideControls
            suffix=" %"
            disabled={isByRule}
            value={margin}
            onChange={onMargin}
          />
          <Switch
            label={t('admin.sourcing.byRule')}
            description={t('admin.sourcing.byRuleHint')}
            checked={isByRule}
            onChange={(event) => setByRule(event.currentTarget.checked)}
          />
          <Button
            disabled={count === 0 || (margin === '' && !isByRule)}
            loading={action.isPending}
            onClick={() => action.mutate([...chosen.values()])}
          >
            {t('admin.sourcing.takeOver', { count })}
          </Button>
          {count === 0 && (
            <Text size="sm" c="dimmed">
              {t('admin.sourcing.tickFirst')}
            </Text>
          )}
        </Group>
        {action.isPending && (
          <Progress
            mt="sm"
            aria-label={t('admin.sourcing.takingOver')}
            value={(done / Math.max(1, action.variables.length)) * 100}
          />
        )}
        <RefusalAlert text={action.refusal} />
      </Surface>
      {results.length > 0 && (
        <Results
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

/** A game and what became of it: one answer, or one of each call that it was divided into. */
interface Result {
  game: ChosenGame
  answers: readonly TakenOver[]
}

const isSameGame = (one: ChosenGame, other: ChosenGame) => one.service.reference === other.service.reference
const answersAbout = ({ service }: ChosenGame, answers: readonly TakenOver[]) =>
  answers.filter((answer) => answer.service === service.reference)

interface ResultsProps {
  results: readonly Result[]
  isBusy: boolean
  onOpen(service: SupplierService): void
  onRetry(game: ChosenGame): void
  onClose(): void
}

function Results({ results, onClose, ...props }: ResultsProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('admin.sourcing.results')}>
      <Surface>
        <Group justify="space-between" mb="sm">
          <Title order={3} size="h5">
            {t('admin.sourcing.results')}
          </Title>
          <Button variant="subtle" size="compact-sm" onClick={onClose}>
            {t('admin.side.close')}
          </Button>
        </Group>
        <List spacing="sm" listStyleType="none">
          {results.map((result) => (
            <List.Item key={result.game.service.reference}>
              <ResultOfGame result={result} {...props} />
            </List.Item>
          ))}
        </List>
      </Surface>
    </section>
  )
}

type ResultProps = Omit<ResultsProps, 'results' | 'onClose'> & { result: Result }

function ResultOfGame({ result: { game, answers }, isBusy, onOpen, onRetry }: ResultProps) {
  const { t } = useTranslation()
  const { service } = game
  const [first] = answers
  if (!first) {
    return (
      <Text>
        <b>{service.title}</b>: {t('admin.sourcing.refusals.nothing_left')}
      </Text>
    )
  }
  const offers = answers.flatMap((answer) => answer.offers)
  const taken = offers.filter(({ outcome }) => outcome !== 'refused').length
  const asSameGame = first.product_id === null ? undefined : { ...game, productId: first.product_id }
  return (
    <>
      <Text>
        <b>{service.title}</b>:{' '}
        {first.reason
          ? t(`admin.sourcing.refusals.${first.reason}`, { fields: first.fields.join(', ') })
          : t(`admin.sourcing.outcomes.${first.outcome}`, { count: taken })}{' '}
        {first.product_id !== null && first.reason === null && (
          <Anchor
            component={Link}
            to={productPath(first.product_id, first.outcome === 'made' ? fieldsView : undefined)}
            underline="always"
          >
            {t('admin.sourcing.openProduct')}
          </Anchor>
        )}
      </Text>
      {first.reason === 'slug_taken' && asSameGame && (
        <Button variant="default" size="compact-sm" disabled={isBusy} onClick={() => onRetry(asSameGame)}>
          {t('admin.sourcing.isSameGame', { slug: first.slug ?? '' })}
        </Button>
      )}
      <RefusedOffers
        game={game}
        productId={first.product_id}
        offers={offers}
        isBusy={isBusy}
        onOpen={onOpen}
        onRetry={onRetry}
      />
    </>
  )
}

interface RefusedOffersProps extends Omit<ResultProps, 'result'> {
  game: ChosenGame
  productId: number | null
  offers: TakenOver['offers']
}

/** The packages that were not taken over, with what can be done about them. */
function RefusedOffers({ game, productId, offers, isBusy, onOpen, onRetry }: RefusedOffersProps) {
  const { t } = useTranslation()
  const refused = offers.filter(({ reason }) => reason !== null)
  if (refused.length === 0) return null
  const same = refused.flatMap(({ reference, reason, offer_id }) =>
    reason === 'amount_taken' && offer_id !== null ? [{ reference, offerId: offer_id }] : [],
  )
  const join = () => onRetry({ ...game, ...(productId !== null && { productId }), offers: same })
  return (
    <Alert color="yellow" mt={4}>
      <List size="sm" spacing={4}>
        {refused.map(({ reference, reason }) => (
          <List.Item key={reference}>
            {reference}: {reason && t(`admin.sourcing.offerRefusals.${reason}`)}
          </List.Item>
        ))}
      </List>
      <Group gap="xs" mt="xs">
        {same.length > 0 && (
          <Button variant="default" size="compact-sm" disabled={isBusy} onClick={join}>
            {t('admin.sourcing.areSameOffers', { count: same.length })}
          </Button>
        )}
        {refused.some(({ reason }) => reason === 'amount_needed' || reason === 'amount_taken') && (
          <Button variant="default" size="compact-sm" onClick={() => onOpen(game.service)}>
            {t('admin.sourcing.setAmounts')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
