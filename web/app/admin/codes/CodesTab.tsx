import { useSearchParams } from 'react-router'
import { ImportScreen } from '../code-import/ImportScreen.tsx'
import { CodeTable } from './CodeTable.tsx'

/** All codes, or the import of many where the address says so. */
export default function CodesTab() {
  const [params] = useSearchParams()
  return params.has('import') ? <ImportScreen /> : <CodeTable />
}
