import { toCsv } from '@olmos/contract/csv'
import { expect, test } from 'vitest'

test.each([
  [
    [
      ['code', 'price'],
      ['AB-CD', 1.5],
    ],
    'code,price\r\nAB-CD,1.5\r\n',
  ],
  [[['a,b', 'say "hi"', 'two\nlines']], '"a,b","say ""hi""","two\nlines"\r\n'],
  [[['=1+1', '+49', '-5', '@SUM(A1)', '\t=1']], "'=1+1,'+49,'-5,'@SUM(A1),'\t=1\r\n"],
  [[['=HYPERLINK("http://x","y")']], `"'=HYPERLINK(""http://x"",""y"")"\r\n`],
  [[['x;=cmd|calc', 'a;b', 'x\n=1', '5;-5']], `"x;'=cmd|calc","a;b","x\n'=1","5;'-5"\r\n`],
  [[[null, '', -5]], ',,-5\r\n'],
  [[], ''],
])('%j', (rows, expected) => {
  expect(toCsv(rows)).toBe(expected)
})
