import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DenominationList } from '../denominations/DenominationList.tsx'
import { viewParam } from '../denominations/denominations.queries.ts'
import { PubgCodes } from './PubgCodes.tsx'

/** The pool of UC codes, or the denominations it stands behind, as the address says. */
export default function PubgCodesTab() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = params.get(viewParam) === 'denominations' ? 'denominations' : 'codes'
  return (
    <>
      <SegmentedControl
        mb="md"
        value={view}
        onChange={(next) => setParams(next === 'codes' ? {} : { [viewParam]: next })}
        data={[
          { value: 'codes', label: t('admin.tabs.codes') },
          { value: 'denominations', label: t('admin.denominations.title') },
        ]}
      />
      {view === 'codes' ? <PubgCodes key="codes" /> : <DenominationList key="denominations" game="pubg" />}
    </>
  )
}
