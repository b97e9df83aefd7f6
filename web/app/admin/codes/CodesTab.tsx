import { useSearchParams } from 'react-router'
import { ImportScreen } from '../code-import/ImportScreen.tsx'
import { RecallScreen } from '../code-recall/RecallScreen.tsx'
import { recallParam } from '../code-recall/recall.queries.ts'
import { CodeTable } from './CodeTable.tsx'

/** All codes; the import of many, or one import of the past, where the address says so. */
export default function CodesTab() {
  const [params] = useSearchParams()
  const batchId = Number(params.get(recallParam))
  if (params.has('import')) return <ImportScreen />
  return batchId > 0 ? <RecallScreen key={batchId} batchId={batchId} /> : <CodeTable />
}
