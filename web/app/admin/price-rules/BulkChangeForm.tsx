import { Button, Group, NativeSelect, Radio, SimpleGrid, Stack } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { BulkChange, OfferSelection, PricePreview } from '@olmos/contract/price-changes'
import { type Rounding, roundings } from '@olmos/contract/price-rules'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { SideView } from '../list/SideView.tsx'
import { ConfirmSeen } from './ConfirmSeen.tsx'
import { PricePreviewTable } from './PricePreview.tsx'
import { changePrices } from './price-rules.queries.ts'

interface BulkChangeFormProps {
  /** Whose prices may be changed; the first is meant, unless another is chosen. */
  selections: readonly OfferSelection[]
  onClose(): void
  onDone(): void
}

interface Percents {
  usd: number | string
  rub: number | string
  roundingUsd: Rounding
  roundingRub: Rounding
}

const blank: Percents = { usd: '', rub: '', roundingUsd: 'hundredth', roundingRub: 'whole' }

const toWish = (by: BulkChange['by'], selection: OfferSelection, percents: Percents): BulkChange =>
  by === 'rule'
    ? { by, selection }
    : {
        by,
        selection,
        percent_usd: Number(percents.usd),
        percent_rub: Number(percents.rub),
        rounding_usd: percents.roundingUsd,
        rounding_rub: percents.roundingRub,
      }

/** Changes many prices: by a percentage, or by the rules. Every price is shown first, and what was seen is what comes. */
export function BulkChangeForm({ selections, onClose, onDone }: BulkChangeFormProps) {
  const { t } = useTranslation()
  const [at, setAt] = useState(0)
  const [by, setBy] = useState<BulkChange['by']>('percent')
  const [percents, setPercents] = useState(blank)
  const [shown, setShown] = useState<BulkChange>()
  const selection = selections[at] ?? { of: 'shop' }
  const isReady = by === 'rule' || (percents.usd !== '' && percents.rub !== '')
  const wish = toWish(by, selection, percents)
  const isShown = shown !== undefined && JSON.stringify(shown) === JSON.stringify(wish)
  return (
    <SideView
      title={t('admin.priceRules.changeMany')}
      isUnsaved={by === 'rule' || JSON.stringify(percents) !== JSON.stringify(blank)}
      onClose={onClose}
      closeLabel={t('admin.form.cancel')}
    >
      <Stack>
        <NativeSelect
          label={t('admin.priceRules.whose')}
          value={String(at)}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
          data={selections.map((one, index) => ({ value: String(index), label: selectionText(t, one) }))}
        />
        <Radio.Group
          label={t('admin.priceRules.how')}
          value={by}
          onChange={(value) => setBy(value === 'rule' ? 'rule' : 'percent')}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="percent" label={t('admin.priceRules.byPercent')} />
            <Radio value="rule" label={t('admin.priceRules.byRule')} description={t('admin.priceRules.byRuleHint')} />
          </Stack>
        </Radio.Group>
        {by === 'percent' && <PercentFields percents={percents} onChange={setPercents} />}
        <Group>
          <Button variant="default" disabled={!isReady || isShown} onClick={() => setShown(wish)}>
            {t('admin.priceRules.preview')}
          </Button>
        </Group>
        {isShown && (
          <ConfirmSeen<PricePreview>
            table={(onSeen) => <PricePreviewTable wish={wish} onSeen={(_digest, preview) => onSeen(preview)} />}
            // Also packages whose price stays may be priced by a rule from then on.
            isForLater={wish.by === 'rule'}
            label={(count) => t('admin.priceRules.apply', { count })}
            send={(digest, reason) => changePrices(wish, digest, reason)}
            onDone={onDone}
          />
        )}
      </Stack>
    </SideView>
  )
}

/** Says whose prices or packages are changed at once. */
export function selectionText(t: TFunction, selection: OfferSelection): string {
  if (selection.of === 'offers') return t('admin.priceRules.selected.offers', { count: selection.offer_ids.length })
  if (selection.of === 'category') return t('admin.priceRules.selected.category', { category: selection.category })
  return t(`admin.priceRules.selected.${selection.of}`)
}

interface PercentFieldsProps {
  percents: Percents
  onChange(percents: Percents): void
}

function PercentFields({ percents, onChange }: PercentFieldsProps) {
  const { t } = useTranslation()
  const range = {
    suffix: ' %',
    decimalScale: 2,
    allowNegative: true,
    min: -LIMITS.priceCutPercentMax,
    max: LIMITS.marginPercentMax,
  }
  const options = roundings.map((value) => ({ value, label: t(`admin.priceRules.roundings.${value}`) }))
  const toRounding = (value: string) => roundings.find((known) => known === value) ?? 'hundredth'
  return (
    <SimpleGrid cols={2}>
      <DecimalInput
        label="USD"
        description={t('admin.priceRules.percentHint')}
        {...range}
        value={percents.usd}
        onChange={(usd) => onChange({ ...percents, usd })}
      />
      <DecimalInput
        label="RUB"
        description={t('admin.priceRules.percentHint')}
        {...range}
        value={percents.rub}
        onChange={(rub) => onChange({ ...percents, rub })}
      />
      <NativeSelect
        label={t('admin.priceRules.roundingUsd')}
        data={options}
        value={percents.roundingUsd}
        onChange={(event) => onChange({ ...percents, roundingUsd: toRounding(event.currentTarget.value) })}
      />
      <NativeSelect
        label={t('admin.priceRules.roundingRub')}
        data={options}
        value={percents.roundingRub}
        onChange={(event) => onChange({ ...percents, roundingRub: toRounding(event.currentTarget.value) })}
      />
    </SimpleGrid>
  )
}
