import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { renderedPage } from './rendered-page.ts'

const nonce = 'bm9uY2U='
const digest = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
const readScripts = async (body: string) => {
  const { contentSecurityPolicy } = await renderedPage(200, `<html><body>${body}</body></html>`, nonce)
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
  const { contentSecurityPolicy } = await renderedPage(200, `<html>${own}</html>`, nonce)
  expect(/script-src ([^;]*)/.exec(contentSecurityPolicy)?.[1]).not.toContain('nonce')
})
