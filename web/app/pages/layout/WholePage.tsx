import '../../i18n/all-texts.ts'
import { Outlet } from 'react-router'
import { MantineParts } from '../../theme/MantineParts.tsx'

/** Around the pages that need more than the first ones: all texts of the store, and Mantine's parts. */
export default function WholePage() {
  return (
    <MantineParts>
      <Outlet />
    </MantineParts>
  )
}
