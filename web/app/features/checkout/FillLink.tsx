import { Anchor } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { useFillingTerms } from './filling.queries.ts'

/** Leads to where the balance is filled with what a purchase lacks; nothing where the shop does not allow it. */
export function FillLink({ currency, missing }: { currency: Currency; missing: number }) {
  const { t } = useTranslation()
  const { data: terms } = useFillingTerms()
  if (!terms?.isOn) return null
  return (
    <Anchor component={Link} to={paths.fill(currency, missing)} size="sm">
      {t('fill.title')}
    </Anchor>
  )
}
