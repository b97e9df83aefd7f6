import type { BuiltInRole } from '@olmos/contract/permissions'
import { expect, type Page, type Request, test } from '@playwright/test'
import { adminCalls, callsOn } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { open } from './customer.ts'
import {
  aCustomer,
  aNewProduct,
  anAdmin,
  buy,
  choose,
  drawer,
  fresh,
  isOnPhone,
  menuEntries,
  openTab,
} from './operator.ts'
import { ru } from './ru.ts'

type Colleague = Exclude<BuiltInRole, 'owner' | 'manager'>

async function aColleague(page: Page, role: Colleague) {
  const operator = await adminCalls(page)
  const session = await aCustomer(page)
  const { data } = await operator<{ data: { id: number; built_in: string | null }[] }>('GET', '/admin/staff-roles')
  const roleId = data.find(({ built_in }) => built_in === role)?.id
  await operator('POST', '/admin/staff', { nickname: session.nickname, role_id: roleId })
  return session
}

/** Notes every call of the page that the store refuses for the role of who makes it. */
function watchForbidden(page: Page): string[] {
  const forbidden: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) forbidden.push(`${answer.request().method()} ${answer.url()}`)
  })
  return forbidden
}

/** The calls that are under way, but for those that never end because they tell what is new. */
function watchCalls(page: Page): Set<Request> {
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    if (request.url().includes('/api/') && !request.url().includes('/events')) underWay.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    page.on(end as 'requestfinished', (request) => void underWay.delete(request))
  }
  return underWay
}

/** Waits until the screen that is shown has all that it asked for. */
async function settle(page: Page, underWay: ReadonlySet<Request>) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => underWay.size).toBe(0)
}

const isReadOnly = (page: Page, permission: 'catalogue.write' | 'suppliers.write' | 'prices.write') =>
  expect(
    page.getByText(ru('admin.staff.readOnly', { permission: ru(`admin.staff.may.${permission}`) })).first(),
  ).toBeVisible()

/** Closes a form without saving it. */
const leave = (page: Page) =>
  drawer(page)
    .getByRole('button', { name: ru('admin.form.cancel') })
    .first()
    .click()

for (const role of ['stock', 'finance', 'support'] as const) {
  test(`a colleague of the role “${role}” walks all tabs and their screens, and the store refuses nothing`, async ({
    page,
  }) => {
    // It opens some forty screens.
    test.slow()
    const complaints = watchConsole(page)
    const owner = await anAdmin(page)
    const product = await aNewProduct(page, owner.token, [fresh('ROLE-'), fresh('ROLE-')])
    const buyer = await aCustomer(page)
    const orderId = await buy(page, buyer.token, product)
    const topup = (await callsOn(page)<{ id: number; slug: string }[]>('GET', '/products')).find(
      ({ slug }) => slug === 'freefire' || slug === 'free-fire',
    )
    const colleague = await aColleague(page, role)
    const forbidden = watchForbidden(page)
    const underWay = watchCalls(page)

    await openTab(page, '', colleague)
    const links = menuEntries(page)
    await settle(page, underWay)
    const tabs = await links.count()
    expect(tabs).toBeGreaterThan(5)
    for (let at = 0; at < tabs; at++) {
      await choose(page, links.nth(at))
      await settle(page, underWay)
    }

    const inner = [
      `products?product=${product.id}`,
      ...(topup ? [`products?product=${topup.id}`, `products?product=${topup.id}&view=fields`] : []),
      'products?arrange',
      'priceRules?view=packages',
      'priceRules?view=pending',
      'suppliers?catalogue=',
      'pubgCodes?view=denominations',
      'codes?import',
      `orders?order=${orderId}`,
      `users?user=${buyer.userId}`,
      'payments?view=reconciliation',
      'support?view=templates',
      'shop',
      'messages',
      'paymentMethods',
      'staff',
    ]
    for (const path of inner) {
      await open(page, `/admin/${path}`)
      await settle(page, underWay)
    }
    expect(forbidden).toEqual([])

    await open(page, `/admin/products?product=${product.id}`)
    const mayPrice = role === 'finance'
    if (isOnPhone(page)) {
      await page
        .getByRole('button', { name: new RegExp(`^${ru('admin.list.edit', { name: '' }).trim()}`) })
        .first()
        .click()
      await expect(drawer(page).getByRole('button', { name: ru('admin.form.save') })).toHaveCount(mayPrice ? 1 : 0)
      if (!mayPrice) await isReadOnly(page, 'prices.write')
      await leave(page)
    } else {
      const field = page.getByRole('textbox', { name: ru('admin.products.supplierNameOf', { name: '' }).trim() })
      await expect(field).toHaveCount(mayPrice ? 1 : 0)
    }
    await page.getByRole('button', { name: new RegExp(`^${ru('admin.sources.titleOf', { name: '' }).trim()}`) }).click()
    await isReadOnly(page, 'suppliers.write')
    await expect(drawer(page).getByRole('button', { name: ru('admin.form.save') })).toHaveCount(0)
    await page.screenshot({ path: test.info().outputPath(`sources-${role}.png`) })
    await leave(page)
    await page
      .getByRole('button', { name: new RegExp(`^${ru('admin.priceRules.pricingOf', { name: '' }).trim()}`) })
      .click()
    await expect(drawer(page).getByRole('button', { name: ru('admin.form.save') })).toHaveCount(mayPrice ? 1 : 0)
    if (!mayPrice) await isReadOnly(page, 'prices.write')
    await leave(page)
    if (topup) {
      await open(page, `/admin/products?product=${topup.id}&view=fields`)
      await isReadOnly(page, 'catalogue.write')
      await page.locator('summary').first().press('Enter')
      await expect(page.getByLabel(ru('admin.accountFields.key')).first()).toBeDisabled()
      await expect(page.getByRole('button', { name: ru('admin.form.save') })).toHaveCount(0)
      await page.screenshot({ path: test.info().outputPath(`fields-${role}.png`) })
    }
    expect(forbidden).toEqual([])
    expect(complaints).toEqual([])
  })
}

test('a role that was deleted comes back with all that it allowed', async ({ page }) => {
  const complaints = watchConsole(page)
  const owner = await anAdmin(page)
  const name = fresh('Night ')
  const permissions = ['orders.read', 'support.write']
  const limits = { rub_once: 500, rub_daily: 1_000, usd_once: 5, usd_daily: 10 }
  const { data: role } = await callsOn(page, owner.token)<{ data: { id: number } }>('POST', '/admin/staff-roles', {
    name,
    permissions,
    limits,
  })
  await openTab(page, 'staff', owner)
  await page.getByRole('tab', { name: ru('admin.staff.rolesTitle') }).click()
  await page.getByRole('button', { name: ru('admin.list.remove', { name }) }).click()
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  // What lies below moves up with the role that goes, under a dialog that is still leaving.
  await expect(drawer(page)).toHaveCount(0)
  await expect(page.getByRole('listitem', { name, exact: true })).toHaveCount(0)
  // By the keyboard: the notice that it was removed may cover the buttons, and stays while a pointer looks for them there.
  await page.getByRole('button', { name: ru('admin.shop.removed') }).press('Enter')
  await page.getByRole('button', { name: ru('admin.shop.restoreRemoved', { name }) }).press('Enter')
  await expect(page.getByText(ru('admin.shop.restored'))).toBeVisible()
  await expect(page.getByRole('listitem', { name, exact: true })).toBeVisible()
  const { data } = await callsOn(page, owner.token)<{ data: object[] }>('GET', '/admin/staff-roles')
  expect(data).toContainEqual(expect.objectContaining({ id: role.id, name, limits }))
  expect(complaints).toEqual([])
})
