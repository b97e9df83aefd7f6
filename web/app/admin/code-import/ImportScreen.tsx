import { Button, Fieldset, Group, NativeSelect, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { toLocalDay } from '../../i18n/format-moment.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { paths } from '../../paths.ts'
import { Surface } from '../../ui/Surface.tsx'
import { BoughtFields } from '../batches/BoughtFields.tsx'
import { useCostCurrencies } from '../batches/batches.queries.ts'
import { type BoughtValues, nothingBought, sentBought } from '../batches/bought-values.ts'
import { PlaceFields } from '../codes/PlaceFields.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { BackLink } from '../list/BackLink.tsx'
import { usePlaceOffers } from '../products/products.queries.ts'
import { TooManyBatches } from './check-rows.ts'
import { ImportPreview, ImportResult } from './ImportReport.tsx'
import { MappingFields } from './MappingFields.tsx'
import { missingColumn, rowReader } from './mapping.ts'
import { UnreadableFile } from './read-text.ts'
import { SourceField, type SourceFile } from './SourceField.tsx'
import { type Import, useImport } from './use-import.ts'
import { useMapping } from './use-mapping.ts'

/** Many codes at once: choose where they belong, give the rows, say what their columns are, look, import. */
export function ImportScreen() {
  const { t } = useTranslation()
  const [file, setFile] = useState<SourceFile>()
  const place = useForm({ initialValues: { productId: '', regionId: '0', offer: '', bought: nothingBought } })
  const columns = useMapping({ line: t('admin.import.lineTitle'), reason: t('admin.import.reasonTitle') })
  const work = useImport()
  const { productId, regionId, offer } = place.values
  const { data: offers = [] } = usePlaceOffers(productId, Number(regionId))
  const currencies = useCostCurrencies()
  const chosen = { productId: Number(productId), regionId: Number(regionId), bought: sentBought(place.values.bought) }
  const { stage } = work
  const { opened } = columns
  const isRunning = stage === 'reading' || stage === 'checking' || stage === 'importing'
  const lacks = opened && missingColumn(opened.mapping, offer !== '')
  const isWithoutAmounts = opened !== undefined && !opened.mapping.columns.includes('amount')
  const missing =
    productId === ''
      ? t('admin.import.needProduct')
      : !file
        ? t('admin.import.needLines')
        : lacks && t(`admin.import.${lacks}`)

  // Another place, other rows or other columns are another import.
  const begin = (next: () => void) => {
    work.reset()
    next()
  }
  const give = (next: SourceFile | undefined) =>
    begin(() => {
      setFile(next)
      columns.open(next?.text)
    })
  const field = (name: 'productId' | 'regionId' | 'offer') => ({
    value: place.values[name],
    onChange: (event: React.ChangeEvent<HTMLSelectElement>) => {
      const { value } = event.currentTarget
      const below = { productId: { regionId: '0', offer: '' }, regionId: { offer: '' }, offer: {} }[name]
      begin(() => place.setValues({ [name]: value, ...below }))
    },
  })

  const bought = (name: keyof BoughtValues & string) => {
    const { onChange, ...input } = place.getInputProps(`bought.${name}`)
    return { ...input, onChange: (value: unknown) => begin(() => onChange(value)) }
  }

  const check = () => {
    if (!opened) return
    columns.remember(opened)
    const named = offers.flatMap(({ name, game_amount, game_currency }) =>
      [name, `${game_amount} ${game_currency}`, gameAmountText(t, game_amount, game_currency)].map(
        (text) => [text.toLowerCase().replace(/\s+/g, ' '), game_amount] as const,
      ),
    )
    const read = rowReader({
      ...opened,
      gameAmount: offer === '' ? undefined : Number(offer),
      amounts: new Map(named.filter(([text]) => text !== '')),
      currencies,
      today: toLocalDay(new Date()),
    })
    work.rehearse({ ...opened, read }, chosen)
  }

  return (
    <Stack>
      <Group>
        <BackLink to={paths.admin('codes')} text={t('admin.import.back')} />
      </Group>
      <Title order={2} size="h3">
        {t('admin.import.title')}
      </Title>
      {stage !== 'done' && (
        <Surface>
          <Fieldset variant="unstyled" disabled={isRunning || stage === 'stopped'}>
            <Stack>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <PlaceFields productId={productId} product={field('productId')} region={field('regionId')} />
              </SimpleGrid>
              <Fieldset legend={t('admin.batches.purchase')}>
                <Stack>
                  <BoughtFields inputs={bought} />
                </Stack>
              </Fieldset>
              <SourceField source={file} onChange={give} />
              {columns.error !== undefined && <Trouble error={columns.error} />}
              {opened && (
                <MappingFields
                  opened={opened}
                  onMap={(mapping) => begin(() => columns.map(mapping))}
                  onReading={(reading) => begin(() => columns.open(file?.text, reading))}
                />
              )}
              {isWithoutAmounts && (
                <NativeSelect
                  label={t('admin.import.oneOffer')}
                  data={[
                    { value: '', label: t('admin.import.chooseOffer') },
                    ...offers.map(({ game_amount, game_currency }) => ({
                      value: String(game_amount),
                      label: gameAmountText(t, game_amount, game_currency),
                    })),
                  ]}
                  {...field('offer')}
                />
              )}
              {opened && !lacks && !opened.mapping.columns.includes('priceUsd') && (
                <Text size="sm">{t('admin.import.pricesStay')}</Text>
              )}
              <Group>
                <Button
                  disabled={missing !== undefined || isRunning || stage === 'stopped'}
                  loading={columns.isOpening}
                  onClick={check}
                >
                  {t('admin.import.check')}
                </Button>
                <Text size="sm" c="dimmed">
                  {missing}
                </Text>
              </Group>
            </Stack>
          </Fieldset>
        </Surface>
      )}
      {stage === 'idle' && work.error !== undefined && <Trouble error={work.error} />}
      {isRunning && (
        <ImportProgress work={work} stage={stage} onStop={stage === 'importing' ? work.stop : work.reset} />
      )}
      {(stage === 'checked' || stage === 'stopped') && (
        <ImportPreview work={work} onImport={(confirmPrices) => work.run(chosen, confirmPrices)} />
      )}
      {stage === 'stopped' && work.error !== undefined && <Trouble error={work.error} />}
      {stage === 'done' && <ImportResult work={work} onAgain={() => give(undefined)} />}
    </Stack>
  )
}

const unreadableText = (t: TFunction, { reason, line = 0 }: UnreadableFile): string =>
  reason === 'open_quote'
    ? t('admin.import.unreadable.open_quote', { line: gameNumber(line) })
    : t(`admin.import.unreadable.${reason}`)

function Trouble({ error }: { error: unknown }) {
  const { t, language } = useTranslation()
  if (error instanceof TooManyBatches) return <RefusalAlert text={t('admin.import.tooManyBatches')} />
  const isUnreadable = error instanceof UnreadableFile
  const text = isUnreadable ? unreadableText(t, error) : refusalText({ t, language }, error)
  return <RefusalAlert text={text} />
}

interface ImportProgressProps {
  work: Import
  stage: 'reading' | 'checking' | 'importing'
  onStop(): void
}

/** How far it is. */
function ImportProgress({ work, stage, onStop }: ImportProgressProps) {
  const { t } = useTranslation()
  const total = work.checked?.valid ?? 0
  const { rows } = stage === 'importing' ? work.sent : work.rehearsed
  const share = total === 0 ? 0 : Math.floor((rows / total) * 100)
  return (
    <Surface>
      <Stack gap="xs" role="status">
        <Group justify="space-between">
          <Text fw={600}>{t(`admin.import.stage.${stage}`)}</Text>
          <Text size="sm" c="dimmed">
            {total > 0 && t('admin.import.progress', { done: gameNumber(rows), total: gameNumber(total) })}
          </Text>
        </Group>
        <Progress
          value={stage === 'reading' ? 100 : share}
          animated={stage === 'reading'}
          aria-label={t(`admin.import.stage.${stage}`)}
          size="lg"
        />
        <Group justify="flex-end">
          <Button variant="default" size="compact-md" onClick={onStop}>
            {t('admin.import.stop')}
          </Button>
        </Group>
      </Stack>
    </Surface>
  )
}
