import '../../i18n/all-texts.ts'
import { MantineParts } from '../../theme/MantineParts.tsx'
import type { LoadedTopup } from './load-topup.ts'
import { TopupView } from './TopupView.tsx'

/** The page of a top-up with what it is made of, for a route that codes share and that has neither at first. */
export const LateTopupView = ({ loaded }: { loaded: LoadedTopup }) => (
  <MantineParts>
    <TopupView loaded={loaded} />
  </MantineParts>
)
