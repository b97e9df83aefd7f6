import { Text } from '@mantine/core'
import type { PackageCount } from '@olmos/contract/uc-combination'
import { useTranslation } from 'react-i18next'
import type { UcOffer } from '../../features/topups/topups.queries.ts'
import { sumUc } from '../../features/topups/uc-selection.ts'
import { Amount } from '../../money/Amount.tsx'
import { useCurrency } from '../../money/currency.ts'
import { gameNumber } from '../../money/game-number.ts'
import { lineTotal } from '../../money/total.ts'
import { SummaryAccount, SummaryLine, TopupSummary } from './TopupSummary.tsx'

interface UcSummaryProps {
  chosen: readonly PackageCount<UcOffer>[]
  account: string
}

/** Lists each chosen offer, and how many UC they add up to. */
export function UcSummary({ chosen, account }: UcSummaryProps) {
  const { t } = useTranslation()
  const currency = useCurrency()
  return (
    <TopupSummary>
      {chosen.length === 0 && <Text c="dimmed">{t('topups.nothingChosen')}</Text>}
      {chosen.map(({ package: entry, quantity }) => (
        <SummaryLine key={entry.id} name={`${gameNumber(entry.uc_amount)} UC${quantity > 1 ? ` × ${quantity}` : ''}`}>
          <Amount value={lineTotal({ ...entry, quantity }, currency)} currency={currency} />
        </SummaryLine>
      ))}
      <SummaryLine name={t('topups.pubg.totalUc')}>
        <span aria-live="polite">{gameNumber(sumUc(chosen).uc)} UC</span>
      </SummaryLine>
      <SummaryAccount account={account} />
    </TopupSummary>
  )
}
