import type { CartItem } from '@olmos/contract/cart'
import type { OfferedMethod } from '@olmos/contract/payments'
import { IconArrowBackUp, IconClock, IconCreditCard, IconMessage } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from '../../features/checkout/Checkout.module.css'
import { PayMarks } from '../../features/checkout/PayMarks.tsx'
import { useAllTopupRules } from '../../features/topups/rules.queries.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { longestWithinText, toTook } from '../../i18n/within-text.ts'
import { paths } from '../../paths.ts'
import { Note, Notes } from '../../ui/Notes.tsx'

const isTopup = ({ item_type }: CartItem) => item_type === 'topup'

const useRulesFor = (items: readonly CartItem[]) =>
  useAllTopupRules([...new Set(items.filter(isTopup).map((item) => item.product_slug))])

/** How long the slowest of the games took lately. */
function useMeasured(items: readonly CartItem[]) {
  const measured = useRulesFor(items).flatMap(({ delivery_minutes }) => delivery_minutes ?? [])
  return measured.sort((a, b) => b.p95 - a.p95)[0] ?? null
}

/** Says when what is bought arrives: codes at once, top-ups within what their games promise. */
export function usePromise(items: readonly CartItem[]): string {
  const { t } = useTranslation()
  const rules = useRulesFor(items)
  const within = longestWithinText(
    t,
    rules.map(({ promised_minutes }) => promised_minutes),
  )
  return [items.every(isTopup) ? '' : t('checkout.codesAtOnce'), within].filter(Boolean).join(' · ')
}

interface PayNotesProps {
  promise: string
  items: readonly CartItem[]
  methods: readonly OfferedMethod[]
}

/** What one wants to know before paying: when it arrives, what if it does not, by what one can pay, and who answers. */
export function PayNotes({ promise, items, methods }: PayNotesProps) {
  const { t } = useTranslation()
  const measured = useMeasured(items)
  return (
    <Notes>
      {promise !== '' && (
        <Note icon={<IconClock size={20} aria-hidden />} title={t('topups.steam.timing')}>
          {promise}
          {measured && <p className={classes.footnote}>{t('product.took', toTook(t, measured))}</p>}
        </Note>
      )}
      {items.some(isTopup) && (
        <Note icon={<IconArrowBackUp size={20} aria-hidden />} title={t('checkout.notArrived')}>
          {t('checkout.notArrivedText')}
        </Note>
      )}
      {!items.every(isTopup) && (
        <Note icon={<IconArrowBackUp size={20} aria-hidden />} title={t('checkout.badCode')}>
          {t('checkout.badCodeText')}
        </Note>
      )}
      {methods.length > 0 && (
        <Note icon={<IconCreditCard size={20} aria-hidden />} title={t('checkout.accepted')}>
          <PayMarks marks={[...new Set(methods.flatMap(({ marks }) => marks))]} />
        </Note>
      )}
      <Note icon={<IconMessage size={20} aria-hidden />} title={t('checkout.questions')}>
        <Link to={paths.support}>{t('login.support')}</Link>
      </Note>
    </Notes>
  )
}
