import { createHash } from 'node:crypto'

interface SharedAnswer {
  body: string
  etag: string
}

/**
 * Lets simultaneous callers who ask for one thing share one answer, so that the database is asked once however many
 * there are. Nothing is kept once it is answered, so nobody gets what was true before somebody else's read began.
 */
export function createSharedAnswers(): (key: string, make: () => Promise<string>) => Promise<SharedAnswer> {
  const underWay = new Map<string, Promise<SharedAnswer>>()
  return (key, make) => {
    const present = underWay.get(key)
    if (present) return present
    const answer = make().then((body) => ({ body, etag: toEtag(body) }))
    underWay.set(key, answer)
    const forget = () => underWay.delete(key)
    answer.then(forget, forget)
    return answer
  }
}

/** The tag is weak, because proxies and the store itself compress the answer in different ways. */
const toEtag = (body: string): string => `W/"${createHash('sha256').update(body).digest('base64').slice(0, 27)}"`
