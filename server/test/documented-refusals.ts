import { type Endpoint, listRefusals } from '@olmos/contract/endpoint'
import type { Failure } from '@olmos/contract/failure'
import { refusalDetails } from '@olmos/contract/refusal-details'

/** Explains what the contract lacks about a refusal, and what to write there; undefined for one that is documented. */
export function complaintAbout(row: Endpoint, { code, details }: Failure): string | undefined {
  const call = `${row.method} ${row.path} (${row.operationId})`
  if (!listRefusals(row).includes(code)) {
    return `${call} was refused with ${code}, which its row in contract/src does not name: add '${code}' to its \`refusals\``
  }
  const read = refusalDetails[code].safeParse(details)
  if (read.success) return undefined
  const json = JSON.stringify(details)
  return `${call} was refused with ${code} and details ${json}, which \`refusalDetails.${code}\` in contract/src/refusal-details.ts does not describe: ${read.error.message}`
}

/** Collects the refusals that the contract does not document, so that a test that met one fails. */
export function undocumentedRefusals() {
  const complaints = new Set<string>()
  return {
    note(row: Endpoint, failure: Failure) {
      const complaint = complaintAbout(row, failure)
      if (complaint) complaints.add(complaint)
    },
    requireNone() {
      if (complaints.size > 0) throw new Error([...complaints].join('\n'))
    },
  }
}
