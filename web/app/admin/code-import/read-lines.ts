import * as LIMITS from '@olmos/contract/limits'
import { WEB_LIMITS } from '../../limits.ts'

/** Why a file is not read to its end. */
export class UnreadableFile extends Error {
  readonly reason: 'not_text' | 'too_many_lines'

  constructor(reason: UnreadableFile['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** What no line of an import comes near to. */
const lineLengthMax = 10 * LIMITS.codeLengthMax

/**
 * Yields the lines of a text in parts of as many as one call carries: no more of it is in memory, and the page stays
 * responsive in between. Empty lines are kept, so that line numbers are those an editor shows.
 */
export async function* toParts(text: Blob, lines: number = WEB_LIMITS.importPartLines): AsyncGenerator<string[]> {
  let part: string[] = []
  let length = 0
  let count = 0
  for await (const line of toLines(text)) {
    if (++count > LIMITS.importLinesMax) throw new UnreadableFile('too_many_lines')
    if (part.length === lines || (part.length > 0 && length + line.length > WEB_LIMITS.importPartLength)) {
      yield part
      part = []
      length = 0
    }
    part.push(line)
    length += line.length
  }
  if (part.length > 0) yield part
}

async function* toLines(text: Blob): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of toText(text)) {
    const known = rest + piece
    // It may be the first half of a Windows line end.
    const isHalf = known.endsWith('\r')
    const lines = (isHalf ? known.slice(0, -1) : known).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + (isHalf ? '\r' : '')
    if (rest.length > lineLengthMax) throw new UnreadableFile('not_text')
    yield* lines
  }
  // The end of the last line is no line of its own.
  if (rest !== '') yield rest.replace(/\r$/, '')
}

/** UTF-8, without its byte order mark. */
async function* toText(blob: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = blob.stream().getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('not_text')
    throw error
  } finally {
    await reader.cancel()
  }
}
