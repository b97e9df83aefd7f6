import { Skeleton, Stack, Text } from '@mantine/core'
import type { PriceRule, RuleScope } from '@olmos/contract/price-rules'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Ago } from '../../i18n/Ago.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { RowButton } from '../list/RowButtons.tsx'
import { SideView } from '../list/SideView.tsx'
import { PricePreviewTable } from './PricePreview.tsx'
import { removeRule, usePriceRules, useRuleHistory } from './price-rules.queries.ts'
import { RuleForm, useRuleName } from './RuleForm.tsx'

/** The rules of the shop never end. */
const lasting: readonly RuleScope[] = ['shop', 'amount']

/** The rules by which prices are made, from the widest to the nearest. */
export function RuleList() {
  const { t } = useTranslation()
  const toName = useRuleName()
  const [looked, setLooked] = useState<PriceRule>()
  return (
    <>
      <Text c="dimmed" size="sm" mb="md">
        {t('admin.priceRules.hint')}
      </Text>
      <EditableTable
        permission="prices.write"
        list={usePriceRules()}
        columns={useRuleColumns()}
        searchLabel={t('admin.priceRules.search')}
        empty={t('admin.priceRules.empty')}
        addLabel={t('admin.priceRules.add')}
        toName={toName}
        form={(rule, close) => <RuleForm rule={rule} onClose={close} />}
        removeDialog={(rule, close) => <RemoveRule rule={rule} name={toName(rule)} onClose={close} />}
        isRemovable={({ scope }) => !lasting.includes(scope)}
        moreButtons={(rule) => (
          <RowButton
            icon={IconHistory}
            label={t('admin.priceRules.historyOf', { name: toName(rule) })}
            onClick={() => setLooked(rule)}
          />
        )}
      />
      {looked && <RuleHistory rule={looked} name={toName(looked)} onClose={() => setLooked(undefined)} />}
    </>
  )
}

type Figures = Pick<
  PriceRule,
  'margin_percent' | 'least_usd' | 'least_rub' | 'payment_percent' | 'rounding_usd' | 'rounding_rub'
>

/** The figures of a rule in one line each: its margin with the least, what the payment takes, how it is rounded. */
function useFigureTexts(): (rule: Figures) => { margin: string; payment: string; rounding: string } {
  const { t } = useTranslation()
  const language = useLanguage()
  return (rule) => {
    const least = [
      rule.least_usd > 0 && formatAmount(rule.least_usd, 'USD', language),
      rule.least_rub > 0 && formatAmount(rule.least_rub, 'RUB', language),
    ].filter((text) => text !== false)
    const percent = t('admin.priceRules.percent', { percent: rule.margin_percent })
    return {
      margin: least.length === 0 ? percent : t('admin.priceRules.atLeast', { percent, least: least.join(' / ') }),
      payment: rule.payment_percent === 0 ? '—' : t('admin.priceRules.percent', { percent: rule.payment_percent }),
      rounding: `USD: ${t(`admin.priceRules.roundings.${rule.rounding_usd}`)}, RUB: ${t(`admin.priceRules.roundings.${rule.rounding_rub}`)}`,
    }
  }
}

function useRuleColumns(): Column<PriceRule>[] {
  const { t } = useTranslation()
  const toName = useRuleName()
  const toTexts = useFigureTexts()
  return [
    { title: t('admin.priceRules.for'), sort: 'scope', isHead: true, cell: toName },
    { title: t('admin.priceRules.margin'), cell: (rule) => toTexts(rule).margin },
    { title: t('admin.priceRules.payment'), cell: (rule) => toTexts(rule).payment },
    { title: t('admin.priceRules.rounding'), cell: (rule) => toTexts(rule).rounding },
    columns.withNote(
      { title: t('admin.priceRules.changed'), sort: 'changed_at' },
      (rule) => <Ago at={rule.changed_at} />,
      (rule) => rule.changed_by,
    ),
  ]
}

interface RuleProps {
  rule: PriceRule
  name: string
  onClose(): void
}

/** Ends a rule, and shows first what the next nearest one makes of its prices. */
function RemoveRule({ rule, name, onClose }: RuleProps) {
  const { t } = useTranslation()
  // The digest of the prices that are shown: until they are, nothing was seen.
  const [seen, setSeen] = useState('')
  return (
    <ActionDialog
      title={t('admin.priceRules.removeTitle', { name })}
      noun="prices"
      isRefused={seen === ''}
      send={() => removeRule(rule, seen)}
      onClose={onClose}
    >
      <Text>{t('admin.priceRules.removeText')}</Text>
      <PricePreviewTable
        wish={{ by: 'removed_rule', id: rule.id }}
        onSeen={setSeen}
        note={t('admin.priceRules.removeHint')}
      />
    </ActionDialog>
  )
}

function RuleHistory({ rule, name, onClose }: RuleProps) {
  const { t } = useTranslation()
  const toTexts = useFigureTexts()
  return (
    <SideView title={t('admin.priceRules.historyOf', { name })} onClose={onClose}>
      <Loaded query={useRuleHistory(rule.id)} height={240} empty={<Skeleton h={240} />}>
        {(versions) => (
          <Stack>
            {versions.map((version) => {
              const { margin, payment, rounding } = toTexts(version)
              return (
                <div key={version.version}>
                  <Text size="sm" c="dimmed">
                    <Moment at={version.changed_at} /> {version.changed_by}
                  </Text>
                  <Text>
                    {t('admin.priceRules.margin')}: {margin} · {t('admin.priceRules.payment')}: {payment} · {rounding}
                  </Text>
                </div>
              )
            })}
          </Stack>
        )}
      </Loaded>
    </SideView>
  )
}
