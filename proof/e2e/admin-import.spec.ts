import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { type Table, type TableColumn, writeXlsx } from '../../server/src/platform/tables/table.ts'
import { callHere } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { open } from './customer.ts'
import { fresh, openTab, row } from './operator.ts'
import { ru } from './ru.ts'

type Cells = Record<string, string>

const text = (title: string): TableColumn<Cells> => ({ title, kind: 'text', read: (cells) => cells[title] ?? '' })

async function workbook(titles: readonly string[], rows: readonly (readonly string[])[]): Promise<Buffer> {
  const cells = rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ''])))
  async function* pages() {
    yield cells
  }
  const table: Table<Cells> = { title: 'Codes', columns: titles.map(text), pages: pages(), timeZone: 'UTC' }
  const parts: Uint8Array[] = []
  for await (const part of writeXlsx(table)) parts.push(part)
  return Buffer.concat(parts)
}

const openImport = async (page: Page) => {
  await openTab(page, 'codes')
  await page.getByRole('link', { name: ru('admin.codes.batch'), exact: true }).click()
  await expect(page.getByRole('heading', { name: ru('admin.import.title') })).toBeVisible()
  await page.getByLabel(ru('admin.codes.product')).selectOption({ label: 'Valorant' })
}

const xlsx = (buffer: Buffer) => ({
  name: 'codes.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer,
})

const check = (page: Page) => page.getByRole('button', { name: ru('admin.import.check') }).click()
const column = (page: Page, number: number) => page.getByLabel(ru('admin.import.column', { number }), { exact: true })

test('a workbook is imported by its columns, and what was left out is mended and imported from its file', async ({
  page,
}, info) => {
  const complaints = watchConsole(page)
  const code = fresh('XLS')
  const amount = 10_000 + (Number.parseInt(code.slice(3), 36) % 80_000)
  const titles = ['Заметка', 'Пароль', 'Логин', 'Сколько', 'Цена USD', 'Цена RUB', 'Срок', 'Закупка']
  const good = (n: number, more: Partial<Record<'amount' | 'expires' | 'cost', string>> = {}) => [
    '=HYPERLINK("http://example.com")',
    `pass-${n}`,
    `${code}-${n}`,
    more.amount ?? String(amount),
    '1,50',
    '120,00',
    more.expires ?? '31.12.2031',
    more.cost ?? '0,9',
  ]
  const rows = [
    good(1),
    good(2, { expires: '06/2031' }),
    good(3, { amount: 'много' }),
    good(4, { expires: '31.02.2031' }),
    good(1),
  ]
  await openImport(page)
  await page.locator('input[type=file]').setInputFiles(xlsx(await workbook(titles, rows)))
  await expect(page.getByRole('group', { name: ru('admin.import.rowsOf') })).toContainText('pass-2')
  await expect(column(page, 2)).toHaveValue('code')
  await expect(column(page, 7)).toHaveValue('expires')
  await expect(column(page, 8)).toHaveValue('cost')
  await column(page, 4).selectOption('amount')
  await page.getByRole('button', { name: ru('admin.import.up', { number: 3 }) }).click()
  await expect(page.getByText(`Логин: ${code}-1\nПароль: pass-1`)).toBeVisible()
  await page.screenshot({ path: info.outputPath('mapping.png'), fullPage: true })
  await check(page)
  await expect(page.getByText(ru('admin.import.batches', { count: 2 }))).toBeVisible()
  const problems = page.getByRole('region', { name: ru('admin.import.problems') })
  await expect(problems).toContainText(/строка 4: номинал не число.*строка 5: проверьте срок.*строка 6: код уже есть/)
  await page.getByRole('switch', { name: /Пропустить 2/ }).press('Space')
  await page.getByRole('button', { name: ru('admin.import.run', { count: 2 }) }).click()
  await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 2 }) })).toBeVisible()
  await page.screenshot({ path: info.outputPath('done.png'), fullPage: true })

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: ru('admin.import.rejected') }).click()
  const saved = await coming
  expect(saved.suggestedFilename()).toBe(ru('admin.import.rejectedFile'))
  const rejected = await readFile(await saved.path(), 'utf8')
  const lines = rejected.trimEnd().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toBe(`\uFEFF${[...titles, ru('admin.import.lineTitle'), ru('admin.import.reasonTitle')].join(',')}`)
  expect(lines[1]).toMatch(/^"'=HYPERLINK\(""http:\/\/example.com""\)",pass-3,.*,4,номинал не число/)

  // Mended, as a spreadsheet of the country saves it: the columns are those that were chosen.
  const mended = rejected.replace('много', String(amount)).replace('31.02.2031', '28.02.2031')
  await page.getByRole('button', { name: ru('admin.import.again') }).click()
  const again = { name: 'mended.csv', mimeType: 'text/csv', buffer: Buffer.from(mended) }
  await page.locator('input[type=file]').setInputFiles(again)
  await expect(column(page, 4)).toHaveValue('amount')
  await expect(page.getByText(`Логин: ${code}-3\nПароль: pass-3`)).toBeVisible()
  await check(page)
  await page.getByRole('button', { name: ru('admin.import.run', { count: 2 }) }).click()
  await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 2 }) })).toBeVisible()

  const { data: products } = await callHere(page, 'GET', '/admin/products?search=valorant')
  const { data: offers } = await callHere(page, 'GET', `/admin/products/${products[0].id}/offers?pageSize=200`)
  expect(offers.find((one: { game_amount: number }) => one.game_amount === amount)).toMatchObject({
    available_count: 4,
    price_usd: 1.5,
  })
  await openTab(page, 'batches')
  await expect(row(page, '2031-06-30').first()).toContainText('0.9 USD')
  // A link to one of them may narrow the list under it, which stays narrowed.
  const { data: batches } = await callHere(page, 'GET', `/admin/code-batches?productId=${products[0].id}`)
  await open(page, `/admin/batches?productId=${products[0].id}&batch=${batches[0].id}`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('admin.form.cancel') })
    .first()
    .click()
  await expect(page).toHaveURL(`/admin/batches?productId=${products[0].id}`)
  expect(complaints).toEqual([])
})

test('codes of one column are pasted for one package, whose price stays as it is', async ({ page }) => {
  const complaints = watchConsole(page)
  const code = fresh('ONE')
  await openImport(page)
  const { data: products } = await callHere(page, 'GET', '/admin/products?search=valorant')
  const before = await callHere(page, 'GET', `/admin/products/${products[0].id}/offers?pageSize=200`)
  await page.getByLabel(ru('admin.import.lines')).fill(`${code}-1\n${code}-2\n${code}-2`)
  await expect(page.getByText(ru('admin.import.needAmount'))).toBeVisible()
  const choice = page.getByLabel(ru('admin.import.oneOffer'))
  await choice.selectOption({ index: 1 })
  await expect(page.getByText(ru('admin.import.pricesStay'))).toBeVisible()
  await check(page)
  await expect(page.getByText(ru('admin.import.priceChanges'), { exact: true }).locator('..')).toContainText('0')
  await page.getByRole('button', { name: ru('admin.import.run', { count: 2 }) }).click()
  await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 2 }) })).toBeVisible()
  const after = await callHere(page, 'GET', `/admin/products/${products[0].id}/offers?pageSize=200`)
  const toPrices = ({ data }: { data: { id: number; price_usd: number; price_rub: number }[] }) =>
    data.map(({ id, price_usd, price_rub }) => ({ id, price_usd, price_rub }))
  expect(toPrices(after)).toEqual(toPrices(before))
  expect(complaints).toEqual([])
})
