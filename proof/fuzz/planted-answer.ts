import * as real from '../../server/src/platform/http/shared-answers.ts'

/** Forgets the first field of every answer that is shared. */
export const createSharedAnswers: typeof real.createSharedAnswers = (version) => {
  const { kept, share } = real.createSharedAnswers(version)
  return { kept, share: (key, make) => share(key, async () => withoutFirst(await make())) }
}

const withoutFirst = (json: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).slice(1)))
