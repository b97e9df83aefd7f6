import { useTranslation } from '../../i18n/use-translation.ts'
import { DenominationList } from '../denominations/DenominationList.tsx'
import { viewParam } from '../denominations/denominations.queries.ts'
import { toView, useTabAddress } from '../list/use-list-view.ts'
import { ViewSwitch } from '../list/ViewSwitch.tsx'
import { PubgCodes } from './PubgCodes.tsx'

/** The pool of UC codes, or the denominations it stands behind, as the address says. */
export default function PubgCodesTab() {
  const { t } = useTranslation()
  const [view, show] = toView(useTabAddress(), viewParam, ['codes', 'denominations'])
  return (
    <>
      <ViewSwitch
        mb="md"
        shown={view}
        onShow={show}
        options={[
          { value: 'codes', label: t('admin.tabs.codes') },
          { value: 'denominations', label: t('admin.denominations.title') },
        ]}
      />
      {view === 'codes' ? <PubgCodes key="codes" /> : <DenominationList key="denominations" game="pubg" />}
    </>
  )
}
