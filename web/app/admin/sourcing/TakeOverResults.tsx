import { Alert, Anchor, Button, Group, List, Text, Title } from '@mantine/core'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import type { TakenOver } from '@olmos/contract/take-over'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { fieldsView, productPath } from '../products/products.queries.ts'
import type { ChosenGame } from './chosen-games.ts'

/** A game and what became of it: one answer, or one of each call that it was divided into. */
export interface GameResult {
  game: ChosenGame
  answers: readonly TakenOver[]
}

interface ResultsProps {
  results: readonly GameResult[]
  isBusy: boolean
  onOpen(service: SupplierService): void
  onRetry(game: ChosenGame): void
  onClose(): void
}

/** What became of each game that was taken over. */
export function TakeOverResults({ results, onClose, ...props }: ResultsProps) {
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
              <GameOutcome result={result} {...props} />
            </List.Item>
          ))}
        </List>
      </Surface>
    </section>
  )
}

type ResultProps = Omit<ResultsProps, 'results' | 'onClose'> & { result: GameResult }

/** What became, or would become, of a game, and what can be done where it is refused. */
export function GameOutcome({ result: { game, answers }, isBusy, onOpen, onRetry }: ResultProps) {
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
        {refused.map(({ reference, name, reason }) => (
          <List.Item key={reference}>
            {name ?? reference}: {reason && t(`admin.sourcing.offerRefusals.${reason}`)}
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
