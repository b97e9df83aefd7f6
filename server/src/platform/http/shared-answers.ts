import { hash } from 'node:crypto'
import type { Encoding } from './headers.ts'
import { type Pack, packOnce } from './rendered-page.ts'

interface SharedAnswer {
  etag: string
  /** Its bytes, compressed once per encoding, when it is first requested. */
  pack: Pack
  /** The encoding to send to who accepts this one; a short answer would hardly become smaller. */
  encodingFor(best: Encoding): Encoding
}

const packedFromBytes = 1024
const textsKept = 64

/**
 * Lets simultaneous callers who ask for one thing share one answer, so that the database is asked once however many
 * there are. Whoever asks after an answer was made gets a new one, so nobody gets what was true before the read began.
 * Only the bytes, the tag and the compressed forms of the last answer are kept, for when the text turns out to be equal.
 */
export function createSharedAnswers(): (key: string, make: () => Promise<string>) => Promise<SharedAnswer> {
  const underWay = new Map<string, Promise<SharedAnswer>>()
  const last = new Map<string, { text: string; answer: SharedAnswer }>()

  const toAnswer = (key: string, text: string): SharedAnswer => {
    const before = last.get(key)
    const answer = before?.text === text ? before.answer : makeAnswer(text)
    last.delete(key)
    last.set(key, { text, answer })
    const [oldest] = last.keys()
    if (last.size > textsKept && oldest !== undefined) last.delete(oldest)
    return answer
  }

  return (key, make) => {
    const present = underWay.get(key)
    if (present) return present
    const answer = make().then((text) => toAnswer(key, text))
    underWay.set(key, answer)
    const forget = () => underWay.delete(key)
    answer.then(forget, forget)
    return answer
  }
}

function makeAnswer(text: string): SharedAnswer {
  const bytes = Buffer.from(text)
  return {
    etag: toEtag(text),
    pack: packOnce(bytes),
    encodingFor: (best) => (bytes.length < packedFromBytes ? 'identity' : best),
  }
}

/** The tag is weak, because proxies and the store itself compress the answer in different ways. */
const toEtag = (body: string): string => `W/"${hash('sha256', body, 'base64').slice(0, 27)}"`
