import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packOnce, readPage } from './rendered-page.ts'

const nonce = 'bm9uY2U='
const digest = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
const readScripts = async (body: string) => {
  const { contentSecurityPolicy } = readPage(200, `<html><body>${body}</body></html>`, nonce)
  return /script-src ([^;]*)/.exec(contentSecurityPolicy)?.[1]?.trim().split(/\s+/)
}
const own = `<script nonce="${nonce}" type="module">ours()</script>`

test.each([
  ['without a nonce', '<script>alert(1)</script>'],
  ['with an empty nonce', '<script nonce="">alert(1)</script>'],
  ['with the nonce of another render', '<script nonce="b3RoZXI=">alert(1)</script>'],
  ['with the nonce as its text', `<script data-nonce="${nonce}">alert(1)</script>`],
  ['that is not closed before ours', '<script>alert(1);'],
  ['of a type that is none', '<script type="later">alert(1)</script>'],
  ['in capitals', '<SCRIPT>alert(1)</SCRIPT>'],
])('a script that got into the page %s is not allowed to run, and ours is', async (_how, injected) => {
  expect(await readScripts(injected + own)).toEqual(["'self'", digest('ours()')])
})

test('the policy of a page does not tell the nonce as a key to scripts', async () => {
  const { contentSecurityPolicy } = readPage(200, `<html>${own}</html>`, nonce)
  expect(/script-src ([^;]*)/.exec(contentSecurityPolicy)?.[1]).not.toContain('nonce')
})

test('the tag of a page is that of what it shows, whatever nonce it was rendered with', () => {
  const readTag = (text: string, drawn: string) =>
    readPage(200, `<html><script nonce="${drawn}">1</script>${text}</html>`, drawn).etag
  expect(readTag('a page', 'b3RoZXI=')).toBe(readTag('a page', nonce))
  expect(readTag('another page', nonce)).not.toBe(readTag('a page', nonce))
})

test('plain bytes are let go once they are compressed, and every form is to be had in any order', async () => {
  const bytes = Buffer.from('a page '.repeat(1_000))
  const pack = packOnce(bytes)
  expect(await pack('identity')).toBe(bytes)
  const packed = await Promise.all(Array.from({ length: 20 }, () => pack('br')))
  expect(new Set(packed).size).toBe(1)
  expect(brotliDecompressSync(packed[0] as Buffer)).toEqual(bytes)
  const [plain, again, gzipped] = await Promise.all([pack('identity'), pack('identity'), pack('gzip')])
  expect(plain).not.toBe(bytes)
  expect([plain.equals(bytes), again === plain, gunzipSync(gzipped).equals(bytes)]).toEqual([true, true, true])
})
