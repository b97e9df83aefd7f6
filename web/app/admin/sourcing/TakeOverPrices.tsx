import { Button, Group, List, Table, Text, Title } from '@mantine/core'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import type { TakenOver } from '@olmos/contract/take-over'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { PricePair } from '../price-rules/PricePreview.tsx'
import { asSame, type ChosenGame } from './chosen-games.ts'
import { type PricesFrom, type TakeOverPreview, useTakeOverPreview } from './sourcing.queries.ts'
import { GameOutcome, type GameResult } from './TakeOverResults.tsx'

interface TakeOverPricesProps {
  supplier: string
  wanted: { games: readonly ChosenGame[]; prices: PricesFrom }
  /** Names all that is wanted. */
  wantedKey: string
  isBusy: boolean
  /** Says something else of a game that was chosen. */
  onChange(game: ChosenGame): void
  onOpen(service: SupplierService): void
  onTakeOver(games: readonly ChosenGame[]): void
}

/** What the chosen games would become and at which prices, and the button that does exactly that. */
export function TakeOverPrices({ supplier, wanted, wantedKey, ...props }: TakeOverPricesProps) {
  const { t } = useTranslation()
  const query = useTakeOverPreview(supplier, wanted, wantedKey)
  return (
    <section aria-label={t('admin.sourcing.preview')}>
      <Surface>
        <Title order={3} size="h5" mb="sm">
          {t('admin.sourcing.preview')}
        </Title>
        <Loaded query={query} height={240}>
          {(preview) => <Previewed preview={preview} {...props} />}
        </Loaded>
      </Surface>
    </section>
  )
}

type PreviewedProps = Omit<TakeOverPricesProps, 'supplier' | 'wanted' | 'wantedKey'> & { preview: TakeOverPreview }

const isNew = ({ outcome }: Pick<TakenOver['offers'][number], 'outcome'>) => outcome === 'made' || outcome === 'joined'
const isWorthTaking = ({ answers }: GameResult) => answers.some(({ offers, reason }) => !reason && offers.some(isNew))

function Previewed({ preview: { games, answers }, isBusy, onChange, onOpen, onTakeOver }: PreviewedProps) {
  const { t } = useTranslation()
  const results = games.map((game) => ({
    game,
    answers: answers.filter(({ service }) => service === game.service.reference),
  }))
  const takeable = results.filter(isWorthTaking)
  return (
    <>
      <List spacing="md" listStyleType="none">
        {results.map((result) => (
          <List.Item key={result.game.service.reference}>
            <GameOutcome
              result={result}
              isBusy={isBusy}
              onOpen={onOpen}
              onRetry={(same) => onChange(asSame(result.game, same))}
            />
            <PackagePrices offers={result.answers.flatMap(({ offers }) => offers)} />
          </List.Item>
        ))}
      </List>
      <Group mt="md">
        <Button
          disabled={takeable.length === 0}
          loading={isBusy}
          onClick={() => onTakeOver(takeable.map(({ game }) => game))}
        >
          {t('admin.sourcing.takeOver', { count: takeable.length })}
        </Button>
        {takeable.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('admin.sourcing.nothingToTake')}
          </Text>
        )}
      </Group>
    </>
  )
}

/** As many as most games have; the others are shown when they are asked for. */
const shownAtFirst = 12

function PackagePrices({ offers }: { offers: TakenOver['offers'] }) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const priced = offers.flatMap(({ price_usd, price_rub, ...offer }) =>
    isNew(offer) && price_usd !== null && price_rub !== null ? [{ ...offer, price_usd, price_rub }] : [],
  )
  if (priced.length === 0) return null
  const shown = isAll ? priced : priced.slice(0, shownAtFirst)
  return (
    <>
      <Table verticalSpacing={4} mt={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('admin.products.package')}</Table.Th>
            <Table.Th ta="right">{t('admin.sourcing.cost')}</Table.Th>
            <Table.Th ta="right">{t('admin.priceRules.price')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ reference, name, price_usd, price_rub, floor_usd, floor_rub }) => (
            <Table.Tr key={reference}>
              <Table.Td>{name ?? reference}</Table.Td>
              <Table.Td ta="right" c="dimmed">
                {floor_usd === null || floor_rub === null ? '—' : <PricePair usd={floor_usd} rub={floor_rub} />}
              </Table.Td>
              <Table.Td ta="right">
                <PricePair usd={price_usd} rub={price_rub} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < priced.length && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setAll(true)}>
          {t('admin.sourcing.showAll', { count: priced.length })}
        </Button>
      )}
    </>
  )
}
