import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Language } from '@olmos/contract/fields'
import type { ListedDay, ReconciliationState } from '@olmos/contract/reconciliation'
import { Link } from 'react-router'
import type { Address } from '../../address.ts'
import { formatDay } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { ReconciledDayView } from './ReconciledDayView.tsx'
import { paymentView, stateTones, toReconciliation, useReconciledDays } from './reconciliation.queries.ts'

/** What is the worst of a day comes first. */
const worstFirst = [
  'different',
  'not_compared',
  'cabinet_only',
  'equal',
] as const satisfies readonly ReconciliationState[]

/** The last days, and whether each provider had what the books have; a day opens beside them. */
export function Reconciliation({ address: [params, change] }: { address: Address }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const chosen = params.get(paymentView.day)
  return (
    <Loaded query={useReconciledDays()} height={420}>
      {({ timezone, days }) => (
        <Stack>
          <Text size="sm" c="dimmed">
            {t('admin.reconciliation.intro', { timezone })}
          </Text>
          <SimpleGrid
            component="ul"
            cols={{ base: 2, sm: 4, lg: 7 }}
            spacing="xs"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
          >
            {days.map((listed) => (
              <li key={listed.day}>
                <DayCard listed={listed} language={language} />
              </li>
            ))}
          </SimpleGrid>
          {chosen && <ReconciledDayView day={chosen} onClose={() => change({ [paymentView.day]: undefined })} />}
        </Stack>
      )}
    </Loaded>
  )
}

function DayCard({ listed: { day, providers }, language }: { listed: ListedDay; language: Language }) {
  const { t } = useTranslation()
  const worst = worstFirst.find((state) => providers.some((provider) => provider.state === state))
  const count = providers.reduce((sum, { difference_count }) => sum + difference_count, 0)
  // Where some of the providers can be asked, they decide.
  const isAgreed = worst === 'cabinet_only' && providers.some(({ state }) => state === 'equal')
  const text =
    worst === 'different'
      ? t('admin.reconciliation.differs', { count })
      : t(worst ? `admin.reconciliation.state.${isAgreed ? 'equal' : worst}` : 'admin.reconciliation.unchecked')
  return (
    <Surface p="sm">
      <Stack gap={6} align="flex-start">
        <Anchor component={Link} to={toReconciliation(day)} preventScrollReset fw={600}>
          {formatDay(day, language)}
        </Anchor>
        <StatusBadge tone={worst ? stateTones[worst] : 'wait'} text={text} />
      </Stack>
    </Surface>
  )
}
