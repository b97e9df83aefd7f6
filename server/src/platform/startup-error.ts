/** A start that cannot go on. The message is one sentence for whoever runs the store; it is shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** What an error says, without its stack; of several tries the first. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

const sentences: Record<string, string> = {
  '42501':
    'The database role lacks rights: it must own the database, or have CREATE on it and on its schema public (docs/operations.md).',
  '25006': 'The database is read-only: DATABASE_URL must lead to the primary, with default_transaction_read_only off.',
  '53300':
    'The database has no connections left for this process: lower DATABASE_CONNECTIONS, or raise max_connections or the limit of the role.',
}

/** What made a start or a command fail: a sentence where the operator can mend it, else the error with its stack. `more` has sentences for further SQLSTATEs. */
export function sentenceOf(error: unknown, more: Record<string, string> = {}): unknown {
  if (error instanceof StartupError) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const sentence = more[code] ?? sentences[code]
  if (sentence !== undefined) return sentence
  const isTrouble = error instanceof Error && 'status' in error && error.status === 503
  return isTrouble ? `The database does not answer: ${reasonOf(cause)}.` : error
}
