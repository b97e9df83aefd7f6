import { type FailureCode, failureStatus } from './failure-codes.ts'
import type { RefusalDetails } from './refusal-details.ts'

/** A refusal's details; a code that is missing in `refusalDetails` does not compile. */
export type DetailsFor<Code extends FailureCode> = RefusalDetails[Code]

type Said<Code extends FailureCode> =
  undefined extends DetailsFor<Code>
    ? [details?: DetailsFor<Code>, message?: string]
    : [details: DetailsFor<Code>, message?: string]

/** A refusal the caller may see. It is thrown anywhere and answered in one place. */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  readonly code: Code
  readonly details: DetailsFor<Code> | undefined

  constructor(code: Code, ...[details, message = code]: Said<Code>) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.details = details
  }

  get status(): number {
    return failureStatus[this.code]
  }

  is<Wanted extends FailureCode>(code: Wanted): this is Failure<Wanted> {
    return this.code === (code as FailureCode)
  }
}
