import { writeFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { callHere } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { logIn, open, password, register } from './customer.ts'
import { drawer, editPackage, fresh, isOnPhone, openFilters, openTab, row, save } from './operator.ts'
import { ru } from './ru.ts'
import { admin } from './start-store.ts'

test.describe('who may enter', () => {
  test('nobody is sent to log in and comes back, with the tab in any case', async ({ page }) => {
    const complaints = watchConsole(page)
    await open(page, '/Admin/REGIONS?search=TR')
    await expect(page).toHaveURL('/login')
    await page.getByLabel(ru('login.nickname')).fill(admin.nickname)
    await page.getByLabel(ru('login.password'), { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: ru('header.logIn') }).click()
    await expect(page).toHaveURL('/Admin/REGIONS?search=TR')
    await expect(row(page, 'Турция')).toBeVisible()
    await open(page, '/admin')
    await expect(page).toHaveURL('/admin/products')
    await expect(row(page, 'PlayStation')).toBeVisible()
    await open(page, '/admin/nosuchtab')
    await expect(page.getByText(ru('notFound.title'))).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('a customer is sent home, and no admin call is made for them', async ({ page }) => {
    await register(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await open(page, '/admin/codes')
    await expect(page).toHaveURL('/')
    expect(asked.filter((url) => url.includes('/api/admin/'))).toEqual([])
  })

  test('an admin who is demoted meanwhile is sent home by the next call', async ({ page, browser, baseURL }) => {
    const nickname = await register(page)
    const userId = await page.evaluate(() => localStorage.getItem('userId'))
    const other = await (await browser.newContext({ baseURL: baseURL ?? '', locale: 'ru-RU' })).newPage()
    await logIn(other, admin.nickname, admin.password)
    await callHere(other, 'PUT', `/admin/users/${userId}/role`, { role: 'admin' })
    await logIn(page, nickname, password)
    await open(page, '/admin/regions')
    await expect(row(page, 'Турция')).toBeVisible()
    await callHere(other, 'PUT', `/admin/users/${userId}/role`, { role: 'customer' })
    await page.getByRole('searchbox').fill('TR')
    await expect(page).toHaveURL(/\/(login)?$/)
    await other.context().close()
  })

  test('who does not log in again when the session ended is led to the login page', async ({ page }) => {
    await openTab(page, 'regions')
    await page.evaluate(() => localStorage.setItem('token', 'ended-elsewhere'))
    await page.getByRole('searchbox').fill('TR')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ru('loginAgain.leave') })
      .last()
      .click()
    await expect(page).toHaveURL('/login')
  })
})

test.describe('lists', () => {
  test('search, sort and filter are in the address, and a failure says why and is tried again', async ({ page }) => {
    await openTab(page, 'products')
    await page.getByRole('searchbox').fill('play')
    await expect(page).toHaveURL(/search=play/)
    await expect(row(page, 'Roblox')).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('searchbox')).toHaveValue('play')
    await expect(row(page, 'PlayStation')).toBeVisible()
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('button', { name: ru('admin.list.clear') }).click()
    await expect(row(page, 'Roblox')).toBeVisible()
    await expect(page).toHaveURL('/admin/products')

    const answer = { success: false, error: { code: 'FORBIDDEN_BY_MOON', message: 'the moon is full' } }
    await page.route('**/api/admin/products?*', (route) => route.fulfill({ status: 400, json: answer }), { times: 1 })
    await page.getByRole('searchbox').fill('roblox')
    await expect(page.getByRole('alert')).toContainText(ru('admin.list.failed'))
    await expect(page.getByRole('alert')).toContainText('the moon is full')
    await page.getByRole('button', { name: ru('loading.retry') }).click()
    await expect(row(page, 'Roblox')).toBeVisible()
  })

  test('a switch that is refused goes back, and says so', async ({ page }) => {
    await openTab(page, 'regions')
    const active = page.getByRole('switch', { name: ru('admin.regions.activeOf', { name: 'Турция' }) })
    await page.route('**/api/admin/regions/*', (route) => route.fulfill({ status: 400, json: {} }), { times: 1 })
    await active.press('Space')
    await expect(page.getByText('Не получилось', { exact: false })).toBeVisible()
    await expect(active).toBeChecked()
  })
})

test.describe('regions', () => {
  test('are added, refused, edited and deleted; one with packages stays', async ({ page }) => {
    const complaints = watchConsole(page)
    await openTab(page, 'regions')
    const code = fresh('R').slice(-10)
    const name = ru('admin.regions.edit', { name: code })
    await page.getByRole('button', { name: ru('admin.regions.add') }).click()
    await save(page)
    await expect(drawer(page).getByText(ru('field.required'))).toHaveCount(2)
    await drawer(page).getByLabel(ru('admin.products.name')).fill(name)
    await drawer(page).getByLabel(ru('admin.codes.code')).fill('TR')
    await drawer(page).getByLabel(ru('admin.regions.flag')).fill('javascript:alert(1)')
    await save(page)
    await expect(drawer(page).getByText(ru('field.invalid_flag'), { exact: true })).toBeVisible()
    await drawer(page).getByLabel(ru('admin.regions.flag')).fill('🏳️')
    await save(page)
    await expect(drawer(page).getByText(ru('field.duplicate'))).toBeVisible()
    await drawer(page).getByLabel(ru('admin.codes.code')).fill(code)
    await save(page)
    await expect(row(page, name)).toBeVisible()

    await page.getByRole('button', { name: ru('admin.list.edit', { name }) }).click()
    await drawer(page).getByLabel(ru('admin.products.name')).fill(`${name} два`)
    await save(page)
    await expect(row(page, `${name} два`)).toBeVisible()

    await page.getByRole('button', { name: `Удалить: ${name} два` }).click()
    await drawer(page)
      .getByRole('button', { name: ru('admin.remove.confirm') })
      .click()
    await expect(row(page, name)).toHaveCount(0)

    await page.getByRole('button', { name: ru('admin.list.remove', { name: 'Турция' }) }).click()
    await expect(drawer(page)).toContainText(/В нём \d+ пакет.*удалить его нельзя/)
    await expect(drawer(page).getByRole('button', { name: ru('admin.remove.confirm') })).toBeDisabled()
    expect(complaints).toEqual([])
  })

  test('that two admins edit at once are overwritten by neither unseen', async ({ page }) => {
    await openTab(page, 'regions')
    const code = fresh('C').slice(-10)
    const { data } = await callHere(page, 'POST', '/admin/regions', { name: `Было ${code}`, code })
    await page.reload()
    await page.getByRole('button', { name: `Изменить: Было ${code}` }).click()
    await drawer(page).getByLabel(ru('admin.products.name')).fill(`Моё ${code}`)
    await callHere(page, 'PUT', `/admin/regions/${data.id}`, { name: `Чужое ${code}` })
    await save(page)
    await expect(drawer(page).getByRole('alert')).toContainText(ru('admin.conflict.title'))
    await expect(drawer(page).getByRole('alert')).toContainText(`Название: Чужое ${code}`)
    await expect(drawer(page).getByRole('button', { name: ru('admin.form.save') })).toBeDisabled()
    await drawer(page)
      .getByRole('button', { name: ru('admin.conflict.keepMine') })
      .click()
    await save(page)
    await expect(row(page, `Моё ${code}`)).toBeVisible()
  })
})

test('a promotion is made with its preview, runs on the home page, stops and is deleted', async ({ page }) => {
  await openTab(page, 'promotions')
  const text = `Скидка ${fresh('P')}`
  await page.getByRole('button', { name: ru('admin.promotions.add') }).click()
  await drawer(page).getByLabel('Русский').fill(text)
  await drawer(page).getByLabel('English').fill(`Sale ${text}`)
  await drawer(page).getByLabel(ru('admin.promotions.color')).fill('#ffd400')
  const preview = drawer(page)
    .locator('span')
    .filter({ hasText: new RegExp(`^${text}$`) })
  await expect(preview).toHaveCSS('background-image', /rgb\(255, 212, 0\), rgb\(179, 148, 0\)/)
  await save(page)
  await expect(row(page, text)).toBeVisible()

  const onHome = async (times: number) => {
    await open(page, '/')
    await expect(page.getByRole('list', { name: ru('admin.tabs.promotions') }).getByText(text)).toHaveCount(times)
    await open(page, '/admin/promotions')
  }
  await onHome(1)
  const active = page.getByRole('switch', { name: ru('admin.promotions.activeOf', { name: text }) })
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await active.press('Space')
  await expect(active).not.toBeChecked()
  await saved
  await onHome(0)
  await page.getByRole('button', { name: ru('admin.list.remove', { name: text }) }).click()
  await expect(drawer(page)).toContainText(ru('admin.promotions.takesTranslations', { count: 2 }))
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(row(page, text)).toHaveCount(0)
})

test('a product is made, stocked, priced, sold in the shop, and deleted by its name', async ({ page }) => {
  const complaints = watchConsole(page)
  await openTab(page, 'products')
  const name = ru('admin.products.edit', { name: fresh('T') })
  await page.getByRole('button', { name: ru('admin.products.add') }).click()
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.name')).first().fill(name)
  await drawer(page)
    .getByLabel(ru('admin.products.description'))
    .first()
    .fill(ru('topups.forAccount', { account: 'проверки' }))
  await drawer(page).getByRole('tab', { name: 'English' }).click()
  await drawer(page).getByLabel(ru('admin.products.description')).nth(1).fill('A text without a name')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.name')).nth(1).fill(`${name} in English`)
  await drawer(page).getByLabel(ru('admin.products.slug')).fill('roblox')
  await drawer(page).getByLabel(ru('admin.products.keywords')).fill('проверка, test')
  await drawer(page).getByLabel(ru('admin.products.gameCurrency')).first().fill('Gems')
  await drawer(page).getByRole('checkbox', { name: 'Турция' }).check()
  await drawer(page)
    .getByLabel(ru('admin.products.currencyIn', { region: 'Турция' }))
    .fill('TL')
  await save(page)
  await expect(drawer(page).getByText(ru('field.duplicate'))).toBeVisible()
  await drawer(page).getByLabel(ru('admin.products.slug')).fill('')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  await page.getByRole('searchbox').fill(name)
  await expect(row(page, name)).toContainText('TR')

  const { data } = await callHere(page, 'GET', `/admin/products?search=${encodeURIComponent(name)}`)
  const [product] = data
  expect(product).toMatchObject({ keywords: ['проверка', 'test'], regions: [{ code: 'TR', game_currency: 'TL' }] })
  expect(product.translations.en).toMatchObject({ name: `${name} in English`, description: 'A text without a name' })
  const code = { productId: product.id, regionId: product.regions[0].id, code: fresh('CODE'), gameAmount: 50 }
  await callHere(page, 'POST', '/admin/codes', { ...code, priceUsd: 1, priceRub: 80 })

  await page.getByRole('link', { name: ru('admin.products.packagesOf', { name }) }).click()
  const packageName = '50 TL Турция'
  await page.screenshot({ path: test.info().outputPath('packages.png') })
  if (isOnPhone(page)) {
    await expect(row(page, 'Турция')).toContainText('80,00')
  }
  const labels = { field: ru('admin.products.priceRub'), row: ru('admin.products.priceRubOf', { name: packageName }) }
  await editPackage(page, packageName, { ...labels, value: '95.5' })
  if (isOnPhone(page)) {
    await expect(drawer(page)).toHaveCount(0)
    await page.getByRole('button', { name: ru('admin.list.edit', { name: packageName }) }).click()
    await drawer(page).getByLabel(ru('admin.products.popular')).press('Space')
    await page.screenshot({ path: test.info().outputPath('package.png') })
    await save(page)
  } else {
    await page.getByRole('switch', { name: ru('admin.products.popularOf', { name: packageName }) }).press('Space')
  }
  await expect
    .poll(async () => (await callHere(page, 'GET', `/admin/products/${product.id}/offers`)).data[0])
    .toMatchObject({ price_rub: 95.5, is_popular: true })
  await open(page, `/products/${product.slug}`)
  await expect(page.getByText('95,50').first()).toBeVisible()

  await open(page, `/admin/products?product=${product.id}`)
  await page.getByRole('button', { name: ru('admin.products.addPackage') }).click()
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toHaveCount(4)
  await drawer(page).getByLabel(ru('admin.codes.gameAmount')).fill('50')
  await drawer(page)
    .getByRole('checkbox', { name: ru('product.anyRegion') })
    .check()
  await drawer(page).getByRole('checkbox', { name: 'Турция' }).check()
  await drawer(page).getByLabel(ru('admin.products.priceUsd')).fill('2')
  await drawer(page).getByLabel(ru('admin.products.priceRub')).fill('160')
  await save(page)
  await expect(drawer(page).getByText(ru('admin.products.packageThere', { list: 'Турция' }))).toBeVisible()
  await drawer(page).screenshot({ path: test.info().outputPath('package-in-regions.png') })
  await drawer(page).getByLabel(ru('admin.codes.gameAmount')).fill('60')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  await page.getByRole('button', { name: ru('admin.list.remove', { name: '60 TL Турция' }) }).click()
  await expect(drawer(page)).toContainText('Отменить нельзя')
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  // That of any region stays.
  await expect(row(page, '60')).toHaveCount(1)
  await page.getByRole('button', { name: ru('admin.list.remove', { name: '50 TL Турция' }) }).click()
  await expect(drawer(page)).toContainText('1 непроданный код')
  await expect(drawer(page).getByRole('button', { name: ru('admin.remove.confirm') })).toBeDisabled()
  await drawer(page)
    .getByRole('button', { name: ru('admin.form.cancel') })
    .last()
    .click()

  await open(page, `/admin/products?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: ru('admin.list.remove', { name }) }).click()
  await expect(drawer(page)).toContainText(ru('admin.products.takesOffers', { count: 2 }))
  await expect(drawer(page)).toContainText(ru('admin.products.takesCodes', { count: 1 }))
  const remove = drawer(page).getByRole('button', { name: ru('admin.remove.confirm') })
  await expect(remove).toBeDisabled()
  await drawer(page).getByRole('textbox').fill(name)
  await remove.click()
  await expect(row(page, name)).toHaveCount(0)
  expect((await page.goto(`/products/${product.slug}`))?.status()).toBe(404)
  expect(complaints).toEqual([])
})

test.describe('codes', () => {
  const fill = async (page: Page, plain: string) => {
    await drawer(page).getByLabel(ru('admin.codes.product')).selectOption({ label: 'Roblox' })
    await drawer(page).getByLabel(ru('admin.codes.code'), { exact: false }).first().fill(plain)
    await drawer(page).getByLabel(ru('admin.codes.gameAmount')).fill('400')
    await drawer(page).getByLabel(ru('admin.products.priceUsd')).fill('4.89')
    await drawer(page).getByLabel(ru('admin.products.priceRub')).fill('385')
  }

  test('are added once, found, shown with a trace, then archived instead of deleted', async ({ page }) => {
    const operator = await openTab(page, 'codes')
    const plain = `${fresh('ADDED')}-JOURNEY`
    await page.getByRole('button', { name: ru('admin.codes.add') }).click()
    await fill(page, plain)
    await save(page)
    await expect(drawer(page)).toHaveCount(0)
    await page.getByRole('button', { name: ru('admin.codes.add') }).click()
    await fill(page, plain)
    await save(page)
    await expect(drawer(page).getByText(ru('field.duplicate'))).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: ru('admin.form.leave') }).click()

    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.getByRole('searchbox').fill(plain)
    await expect(page.getByText(ru('admin.list.total', { count: 1 }), { exact: true })).toBeVisible()
    // Addresses stand in logs and histories.
    expect([...addresses, page.url()].filter((address) => address.includes(plain))).toEqual([])
    await expect(page.getByRole('table')).toContainText('••••RNEY')
    expect(await page.getByRole('table').textContent()).not.toContain(plain)
    await page.getByRole('button', { name: /^Показать:/ }).click()
    await drawer(page)
      .getByRole('button', { name: ru('admin.codes.revealNow') })
      .click()
    await expect(drawer(page).getByText(plain)).toBeVisible()
    await page.keyboard.press('Escape')
    const { data } = await callHere(page, 'GET', '/admin/audit?action=code.reveal')
    expect(data[0].actor).toBe(operator.nickname)

    await page.getByRole('button', { name: /^Удалить:/ }).click()
    await drawer(page)
      .getByRole('button', { name: ru('admin.remove.confirm') })
      .click()
    await expect(drawer(page)).toContainText('Этот код уже кто-то видел')
    await drawer(page)
      .getByRole('button', { name: ru('admin.codes.archive') })
      .click()
    await expect(row(page, ru('admin.codes.state.archived'))).toBeVisible()
    await page.getByRole('button', { name: /^Изменить:/ }).click()
    await drawer(page).getByText(ru('admin.codes.state.available')).click()
    await save(page)
    await expect(row(page, ru('admin.codes.state.available'))).toBeVisible()
  })

  const openImport = async (page: Page) => {
    await openTab(page, 'codes')
    await page.getByRole('link', { name: ru('admin.codes.batch'), exact: true }).click()
    // The list that is left has a choice of products, too.
    await expect(page.getByRole('heading', { name: ru('admin.import.title') })).toBeVisible()
    await page.getByLabel(ru('admin.codes.product')).selectOption({ label: 'Valorant' })
  }
  const file = (lines: string) => ({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
  const tile = (page: Page, label: string) => page.getByText(label, { exact: true }).locator('..')

  test('are imported from a file with every kind of line, after a look at what will happen', async ({ page }) => {
    const complaints = watchConsole(page)
    await openImport(page)
    const code = fresh('IMP')
    const amount = 10_000 + (Number.parseInt(code.slice(3), 36) % 80_000)
    const good = (n: number) => `"${code}-${n}",1.50,"120.00",${amount}`
    const lines = [
      '\uFEFFcode,usd,rub,amount',
      good(1),
      '',
      good(2),
      good(1),
      `${code}-3;1.5;120;1`,
      '"torn"X,1,2,3',
      `${code}-4,,2,3`,
    ]
    await page.locator('input[type=file]').setInputFiles(file(lines.join('\r\n')))
    await page.getByRole('button', { name: ru('admin.import.check') }).click()
    await expect(tile(page, ru('admin.import.newCodes'))).toContainText('2')
    await expect(tile(page, ru('admin.import.duplicates'))).toContainText('1')
    await expect(tile(page, ru('admin.import.invalid'))).toContainText('3')
    await expect(page.getByRole('region', { name: ru('admin.import.problems') })).toContainText(
      /строка 6: номинал не число.*строка 7: после закрывающей кавычки.*строка 8: проверьте цену в USD.*строка 5: код уже есть в строке выше/,
    )
    await expect(page.getByText(ru('admin.import.newPackage'))).toBeVisible()
    const run = page.getByRole('button', { name: ru('admin.import.run', { count: 2 }) })
    await expect(run).toBeDisabled()
    await page.getByRole('switch', { name: /Пропустить 3/ }).press('Space')
    await run.click()
    await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 2 }) })).toBeVisible()
    await page.getByRole('link', { name: /Показать импорт/ }).click()
    await expect(page.getByText(ru('admin.list.total', { count: 2 }), { exact: true })).toBeVisible()

    await openImport(page)
    await page.locator('input[type=file]').setInputFiles(file(good(1)))
    await page.getByRole('button', { name: ru('admin.import.check') }).click()
    await expect(page.getByText(ru('admin.import.nothingNew'))).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('are not read from a million lines, nor from what is no text', async ({ page }) => {
    await openImport(page)
    const million = test.info().outputPath('million.csv')
    await writeFile(million, 'A,1,1,1\n'.repeat(1_000_000))
    await page.locator('input[type=file]').setInputFiles(million)
    await page.getByRole('button', { name: ru('admin.import.check') }).click()
    await expect(page.getByRole('alert')).toContainText('Здесь больше 100\u00A0000 строк')
    await page.getByRole('button', { name: ru('admin.import.dropFile') }).click()
    const picture = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]) }
    await page.locator('input[type=file]').setInputFiles(picture)
    await expect(page.getByRole('alert')).toContainText('не таблица и не текст')
    await page.getByRole('button', { name: ru('admin.import.dropFile') }).click()
    await page.locator('input[type=file]').setInputFiles(file('A;1\n"B;2\n'))
    await expect(page.getByRole('alert')).toContainText('В строке 2 открыта кавычка')
  })

  const readCodes = (code: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${code}-${n},1.5,120,7777`).join('\n')

  /** Drops a file on what takes one; at a hundred thousand lines it has 11 MB. */
  const drop = (page: Page, code: string, count: number) =>
    page.getByLabel(ru('admin.import.lines')).evaluate(
      (field, of) => {
        const lines = Array.from(
          { length: of.count },
          (_, n) => `${`${of.code}-${n}-`.padEnd(100, 'X')},1.5,120,7777\n`,
        )
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(lines, 'dropped.csv', { type: 'text/csv' }))
        for (const kind of ['dragover', 'drop']) {
          field.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
        }
      },
      { code, count },
    )

  /** Looks again and again at what the page holds in memory, at the bar and at how long the page stood still. */
  async function watchImport(page: Page) {
    await page.evaluate(() => {
      const seen = { longest: 0, shares: [] as number[] }
      Object.assign(window, { seen })
      new PerformanceObserver((tasks) => {
        for (const { duration } of tasks.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ type: 'longtask' })
      new MutationObserver(() => {
        const share = Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? Number.NaN)
        if (!Number.isNaN(share) && share !== seen.shares.at(-1)) seen.shares.push(share)
      }).observe(document.body, { attributes: true, subtree: true, childList: true })
    })
    const inspector = await page.context().newCDPSession(page)
    const usedMb = async () => {
      await inspector.send('HeapProfiler.collectGarbage')
      return (await inspector.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
    }
    return {
      usedMb,
      seen: () => page.evaluate(() => (window as unknown as { seen: { longest: number; shares: number[] } }).seen),
    }
  }

  test('are imported within a minute when a hundred thousand are dropped, and the page lives on', async ({ page }) => {
    await openImport(page)
    await drop(page, fresh('BIG'), 100_000)
    await expect(page.getByText('dropped.csv')).toBeVisible()
    const watched = await watchImport(page)
    const usedBefore = await watched.usedMb()
    const begun = Date.now()
    await page.getByRole('button', { name: ru('admin.import.check') }).click()
    await expect(page.getByRole('progressbar')).toBeVisible()
    const run = page.getByRole('button', { name: ru('admin.import.run', { count: 100000 }) })
    await expect(run).toBeEnabled({ timeout: 60_000 })
    await run.click()
    await expect(page.getByText(/^\d{2}.000 из 100.000 строк$/)).toBeVisible()
    const usedMidway = await watched.usedMb()
    await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 100000 }) })).toBeVisible({
      timeout: 60_000,
    })
    expect(Date.now() - begun).toBeLessThan(60_000)
    const usedAfter = await watched.usedMb()
    const { longest, shares } = await watched.seen()
    expect(longest).toBeLessThan(1_000)
    expect(shares.filter((share) => share > 0 && share < 100).length).toBeGreaterThan(20)
    // The whole file would be 11 MB; meanwhile the page holds the part that is sent and the code that sends it.
    expect(usedMidway - usedBefore).toBeLessThan(8)
    expect(usedAfter - usedBefore).toBeLessThan(5)
    await expect(tile(page, ru('admin.import.added'))).toContainText('100 000')
    await page.getByRole('link', { name: /Показать импорт/ }).click()
    await expect(page.getByText(ru('admin.list.total', { count: 100000 }))).toBeVisible()
  })

  test('whose import breaks off go on where it was', async ({ page }) => {
    await openImport(page)
    await page.locator('input[type=file]').setInputFiles(file(readCodes(fresh('CUT'), 12_000)))
    await page.getByRole('button', { name: ru('admin.import.check') }).click()
    const run = page.getByRole('button', { name: ru('admin.import.run', { count: 12000 }) })
    await expect(run).toBeEnabled()
    let calls = 0
    const lastSent = Promise.withResolvers<void>()
    // Several parts are under way at a time, so that the last is imported although the one before it never arrives.
    await page.route('**/api/admin/codes/bulk?*', async (route) => {
      const call = ++calls
      if (call === 3) lastSent.resolve()
      if (call !== 2) return route.continue()
      await lastSent.promise
      return route.abort()
    })
    await run.click()
    await expect(page.getByText(/Остановлено, обработано строк: 7.000, добавлено 7.000 кодов/)).toBeVisible()
    await page.getByRole('button', { name: ru('admin.import.resume') }).click()
    await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 12000 }) })).toBeVisible()
    await page.getByRole('link', { name: /Показать импорт/ }).click()
    await expect(page.getByText(ru('admin.list.total', { count: 12000 }))).toBeVisible()
  })

  test('are recalled: the rest goes off the shelf, and who bought one gets the money back', async ({ page }) => {
    await openTab(page, 'codes')
    const code = fresh('BAD')
    const amount = 100_000 + (Number.parseInt(code.slice(3), 36) % 800_000)
    const { data: products } = await callHere(page, 'GET', '/admin/products?search=valorant')
    const lines = [1, 2, 3].map((n) => `${code}-${n},1.5,120,${amount}`)
    const place = { productId: products[0].id, regionId: 0 }
    const { batch_id: batch } = await callHere(page, 'POST', '/admin/codes/bulk', { ...place, lines })
    const buyer = await buy(page, { ...place, gameAmount: amount, priceUsd: 1.5, priceRub: 120, quantity: 1 })

    await open(page, `/admin/codes?batch=${batch}`)
    await openFilters(page)
    await page.getByRole('link', { name: ru('admin.recall.open') }).click()
    await expect(row(page, buyer.nickname)).toContainText(ru('admin.recall.unseen'))
    await page.getByRole('button', { name: ru('admin.recall.recall') }).click()
    await expect(drawer(page)).toContainText(ru('admin.recall.takes', { count: 2 }))
    await drawer(page).getByLabel(ru('admin.reason.label')).fill('прислали неверные коды')
    const recall = drawer(page).getByRole('button', { name: ru('admin.recall.recall') })
    await expect(recall).toBeDisabled()
    await drawer(page).getByLabel(`Введите «${batch}»`).fill(String(batch))
    await recall.click()
    await expect(page.getByText(`${ru('admin.codes.state.quarantined')}: 2`)).toBeVisible()
    await page.getByRole('button', { name: ru('admin.recall.mend.replace') }).click()
    await drawer(page)
      .getByRole('button', { name: ru('admin.recall.mend.replace') })
      .click()
    await expect(page.getByText(ru('admin.recall.mended', { done: '0', total: '1', left: '1' }))).toBeVisible()
    const left = page.getByRole('region', { name: ru('admin.recall.notMended') })
    await expect(left).toContainText(buyer.nickname)
    await expect(left).toContainText('Другого кода этого пакета нет')
    await page.getByRole('button', { name: ru('admin.recall.mend.refund') }).click()
    await drawer(page).getByLabel(`Введите «${batch}»`).fill(String(batch))
    await drawer(page)
      .getByRole('button', { name: ru('admin.recall.mend.refund') })
      .click()
    await expect(page.getByText(`${ru('admin.codes.state.quarantined')}: 3`)).toBeVisible()
    await expect(page.getByText(ru('admin.recall.mended', { done: '1', total: '1', left: '0' }))).toBeVisible()
    await expect(page.getByRole('button', { name: ru('admin.recall.mend.refund') })).toHaveCount(0)
    const { data } = await callHere(page, 'GET', `/admin/users?search=${buyer.nickname}`)
    expect(data[0]).toMatchObject({ id: buyer.userId, balanceUsd: 2 })
  })
})

/** Somebody new with two dollars, who has bought the package. */
async function buy(page: Page, item: object): Promise<{ nickname: string; userId: number }> {
  const nickname = fresh('buyer_')
  const registered = await page.request.post('/api/auth/register', { data: { nickname, password } })
  const { token, userId } = await registered.json()
  await callHere(page, 'PUT', `/admin/users/${userId}/balance`, { balanceUsd: 2, reason: 'journey' })
  for (const [path, data] of [
    ['/cart/add', { ...item, gameCurrency: 'VP' }],
    ['/payment/from-balance', { currency: 'USD' }],
  ] as const) {
    const answer = await page.request.post(`/api${path}`, { data, headers: { authorization: `Bearer ${token}` } })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  }
  return { nickname, userId }
}
