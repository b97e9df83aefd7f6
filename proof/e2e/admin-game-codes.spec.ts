import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { open } from './customer.ts'
import { drawer, openTab, row, save } from './operator.ts'

/** Nobody else's, in this project of journeys or the other. */
const freshAmount = () => 100_000 + Math.floor(Math.random() * 900_000)

/** What shows at once may not have reached the store yet. */
async function saved(page: Page, change: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await change()
  expect((await answer).ok()).toBe(true)
}

const dialog = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

test('codes are generated, put on sale, copied, found again and taken off sale', async ({ page }, { project }) => {
  // Popular is the whole package: the journeys of the other size have another one.
  const denomination = project.name === 'phone' ? '310 Diamonds' : '520 Diamonds'
  await openTab(page, 'generatedCodes')
  await page.getByRole('button', { name: 'Сгенерировать' }).click()
  await dialog(page).getByRole('button', { name: 'Сгенерировать' }).click()
  await expect(dialog(page).getByText('Заполните поле')).toHaveCount(2)
  await dialog(page).getByLabel('Товар').selectOption({ label: 'Коды Free Fire' })
  await dialog(page).getByLabel('Номинал').selectOption({ label: denomination })
  await dialog(page).getByLabel('Сколько').fill('12')
  await dialog(page).getByLabel('Префикс').fill('NO-NO')
  await dialog(page).getByRole('button', { name: 'Сгенерировать' }).click()
  await expect(dialog(page).getByText('Только латинские буквы и цифры')).toBeVisible()
  await dialog(page).getByLabel('Префикс').fill('night')
  await dialog(page).getByRole('button', { name: 'Сгенерировать' }).click()

  await expect(page).toHaveURL(/batch=\d+/)
  await expect(rows(page)).toHaveCount(12)
  const onSale = page.getByRole('switch', { name: /^Продаётся: NIGHT-/ })
  await expect(onSale.first()).not.toBeChecked()
  await page.getByRole('button', { name: 'Выставить партию на продажу' }).click()
  await expect(onSale.first()).toBeChecked()
  await saved(page, () => onSale.first().press('Space'))
  await expect(onSale.first()).not.toBeChecked()
  const popular = page.getByRole('switch', { name: /^Популярный/ })
  const wasPopular = await popular.first().isChecked()
  await saved(page, () => popular.last().press('Space'))
  await page.reload()
  await expect(onSale.first()).not.toBeChecked()
  await expect(onSale.last()).toBeChecked()
  await expect(popular.first()).toBeChecked({ checked: !wasPopular })

  await page.getByRole('button', { name: 'Скопировать все' }).click()
  await expect(dialog(page)).toContainText('Скопировать 12 кодов?')
  await expect(dialog(page)).toContainText('останутся в продаже')
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Сохранить CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  const lines = csv.replace('\uFEFF', '').trim().split('\r\n')
  expect(lines).toHaveLength(13)
  const code = lines[1]?.split(',')[0] ?? ''
  expect(code).toMatch(/^NIGHT(-[A-Z3-9]{4}){5}$/)

  await open(page, '/admin/generatedCodes')
  await page.getByRole('searchbox').fill(code.toLowerCase())
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, `NIGHT-••••-${code.slice(-4)}`)).toBeVisible()
})

test('codes go into the pool of PUBG, and a denomination takes its codes along', async ({ page }) => {
  const amount = freshAmount()
  const name = `${amount} UC`
  await openTab(page, 'pubgCodes')
  await page.getByRole('radiogroup').getByText('Номиналы', { exact: true }).click()
  await page.getByRole('button', { name: 'Добавить номинал' }).click()
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toHaveCount(3)
  await drawer(page).getByLabel('Количество UC').fill(String(amount))
  await drawer(page).getByLabel('Цена, USD').fill('4.5')
  await drawer(page).getByLabel('Цена, RUB').fill('360')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'Добавить номинал' }).click()
  await drawer(page).getByLabel('Количество UC').fill(String(amount))
  await drawer(page).getByLabel('Цена, USD').fill('1')
  await drawer(page).getByLabel('Цена, RUB').fill('80')
  await save(page)
  await expect(drawer(page).getByText('Уже занято')).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Отмена' }).last().click()

  await page.getByRole('radiogroup').getByText('Коды', { exact: true }).click()
  await page.getByRole('button', { name: 'Добавить коды' }).click()
  await drawer(page).getByLabel('Номинал').selectOption({ label: name })
  await drawer(page).getByRole('textbox', { name: 'Коды' }).fill(`UC${amount}FIRST\nUC${amount}SECOND,1,80,60`)
  await drawer(page).getByRole('button', { name: 'Проверить' }).click()
  await expect(drawer(page).getByText('1 строка с ошибкой')).toBeVisible()
  await drawer(page)
    .getByRole('textbox', { name: 'Коды' })
    .fill(`UC${amount}FIRST\nUC${amount}SECOND\nUC${amount}THIRD\nUC${amount}FIRST`)
  await drawer(page).getByRole('button', { name: 'Проверить' }).click()
  await expect(drawer(page).getByText('3 новых кода')).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Добавить 3 кода' }).click()
  await expect(drawer(page)).toHaveCount(0)

  await page.getByLabel('Номинал', { exact: true }).selectOption({ label: name })
  await expect(rows(page)).toHaveCount(3)
  await row(page, 'COND').getByRole('button', { name: 'Изменить' }).click()
  await drawer(page).getByLabel('Состояние').selectOption('error')
  await save(page)
  await expect(row(page, 'COND')).toContainText('с ошибкой')
  await row(page, 'HIRD').getByRole('button', { name: 'Удалить' }).click()
  await dialog(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('radiogroup').getByText('Номиналы', { exact: true }).click()
  await page.getByRole('searchbox', { name: 'Поиск по количеству UC' }).fill(String(amount))
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: `Удалить: ${name}` }).click()
  await expect(dialog(page)).toContainText('2 непроданных кода')
  await expect(dialog(page).getByRole('button', { name: 'Удалить' })).toBeDisabled()
  await dialog(page).getByRole('textbox').fill(name)
  await dialog(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
})

test('a denomination of Free Fire is made, refused, changed, switched off and deleted', async ({ page }) => {
  const amount = freshAmount()
  const name = `Ночной набор ${amount}`
  await openTab(page, 'freefireCodes')
  await page.getByRole('button', { name: 'Добавить номинал' }).click()
  await save(page)
  await expect(drawer(page).getByText('Заполните поле')).toHaveCount(5)
  await drawer(page).getByLabel('Название').fill(name)
  await drawer(page).getByLabel('ID позиции').fill('free_fire_cis/100_diamonds')
  await drawer(page).getByLabel('Алмазы').fill(String(amount))
  await drawer(page).getByLabel('Цена, USD').fill('7')
  await drawer(page).getByLabel('Цена, RUB').fill('560')
  await save(page)
  await expect(drawer(page).getByText('Уже занято')).toBeVisible()
  await drawer(page).getByLabel('ID позиции').fill(`night/${amount}`)
  await save(page)
  await expect(drawer(page)).toHaveCount(0)

  await page.getByRole('searchbox').fill(String(amount))
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel(`Цена в USD: ${name}`).fill('8.5')
  await saved(page, () => page.getByLabel(`Цена в USD: ${name}`).press('Enter'))
  await saved(page, () => page.getByRole('switch', { name: `Продаётся: ${name}` }).press('Space'))
  await page.reload()
  await expect(page.getByLabel(`Цена в USD: ${name}`)).toHaveValue('$8.50')
  await expect(page.getByRole('switch', { name: `Продаётся: ${name}` })).not.toBeChecked()
  await row(page, name).getByRole('button', { name: 'Изменить' }).click()
  await drawer(page).getByLabel('Название').fill(`${name} плюс`)
  await save(page)
  await expect(row(page, `${name} плюс`)).toBeVisible()
  await row(page, name).getByRole('button', { name: 'Удалить' }).click()
  await expect(dialog(page)).toContainText('Отменить нельзя')
  await dialog(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
})
