import { expect } from '@playwright/test'
import { startSmtp } from '../../server/test/doubles/smtp.ts'
import { startTelegram } from '../../server/test/doubles/telegram.ts'
import { call } from './calls.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, logIn, open, password, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'
import { startStore } from './start-store.ts'

test('who forgot the password proves the account by an order and a contact, and gets in again', async ({
  page,
  browser,
  baseURL,
}) => {
  // A store that can't send promises no mail.
  await open(page, '/register')
  await expect(page.getByText(ru('contact.hint'))).toBeVisible()
  await expect(page.getByText(ru('contact.mailHint'))).toHaveCount(0)
  const nickname = await register(page)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: ru('contact.title') })).toBeVisible()
  await expect(page.getByRole('heading', { name: ru('notifications.title') })).toHaveCount(0)
  await page.getByRole('button', { name: ru('contact.add') }).click()
  const dialog = page.getByRole('dialog', { name: ru('contact.title') })
  await dialog.getByLabel(ru('contact.field')).fill('@journey')
  await dialog.getByLabel(ru('profile.currentPassword')).fill('wrong-pass-1')
  await dialog.getByRole('button', { name: ru('contact.save') }).click()
  await expect(dialog.getByText(ru('field.invalid_credentials'))).toBeVisible()
  await expect(dialog.getByLabel(ru('profile.currentPassword'))).toBeFocused()
  await dialog.getByLabel(ru('profile.currentPassword')).fill(password)
  await dialog.getByRole('button', { name: ru('contact.save') }).click()
  await expect(page.getByText('@journey')).toBeVisible()

  await giveBalance(page, { balanceRub: 500 })
  await addToCart(page, 1)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const paid = await call(page, token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  await page.evaluate(() => localStorage.clear())

  await open(page, '/login')
  await page.getByRole('link', { name: ru('login.recover') }).click()
  await page.getByRole('button', { name: ru('recover.submit') }).click()
  await expect(page.getByText(ru('field.required'))).toHaveCount(2)
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('recover.contact')).fill('@Journey')
  await page.getByLabel(ru('recover.order')).fill(paid.body.order.id.toLowerCase())
  await page.getByRole('button', { name: ru('recover.submit') }).click()
  await expect(page.getByRole('heading', { name: ru('recover.sent') })).toBeVisible()

  const desk = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'ru-RU' })).newPage()
  const admin = await openTab(desk, `support?kind=recovery&search=${nickname}`)
  await desk.getByRole('button', { name: nickname }).click()
  await expect(desk.getByRole('link', { name: paid.body.order.id, exact: true })).toBeVisible()
  for (const proof of ['admin.support.ownOrder', 'admin.support.ownContact', 'admin.support.claimedAccount'] as const)
    await expect(desk.getByText(ru(proof))).toBeVisible()
  await expect(desk.getByRole('link', { name: ru('admin.support.toAccount'), exact: true })).toBeVisible()
  const { body: users } = await call(desk, admin.token, 'GET', `/admin/users?search=${nickname}`)
  await call(desk, admin.token, 'PUT', `/admin/users/${users.data[0].id}/password`, { password: 'lent-to-you-77' })
  await desk.context().close()

  await logIn(page, nickname, 'lent-to-you-77')
  await expect(page).toHaveURL(/new-password/)
})

test('who forgot the password is mailed a link, sets another by it, and the address keeps nothing of it', async ({
  browser,
  viewport,
}) => {
  test.slow()
  const [smtp, telegram] = [await startSmtp(), await startTelegram()]
  const store = await startStore({
    TELEGRAM_BASE_URL: telegram.url,
    TELEGRAM_BOT_TOKEN: telegram.token,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    SMTP_SECURITY: 'none',
    SMTP_USER: smtp.user,
    SMTP_PASSWORD: smtp.password,
    SMTP_FROM: 'shop@shop.example',
  })
  const page = await (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', viewport })).newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))
  await open(page, '/register')
  await expect(page.getByText(ru('contact.mailHint'))).toBeVisible()
  const nickname = await register(page)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await call(page, token, 'PUT', '/profile/contact', { currentPassword: password, contact: 'lola@example.com' })

  // A chat can get a link, too, so it is connected with the password alone.
  await open(page, '/profile')
  const connect = page.getByRole('button', { name: ru('notifications.link') })
  const form = page.locator('form').filter({ has: connect })
  await form.getByLabel(ru('profile.currentPassword')).fill('wrong-pass-1')
  await connect.click()
  await expect(form.getByText(ru('field.invalid_credentials'))).toBeVisible()
  await form.getByLabel(ru('profile.currentPassword')).fill(password)
  await connect.click()
  await expect(page.getByRole('link', { name: ru('notifications.openBot') })).toBeVisible()
  await page.evaluate(() => localStorage.clear())

  await open(page, '/login')
  await page.getByRole('link', { name: ru('login.recover') }).click()
  await expect(page.getByRole('button', { name: ru('recover.submit'), exact: true })).toBeVisible()
  expect(await axeOn(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)
  await page.screenshot({ path: test.info().outputPath('recover.png'), fullPage: true })
  await page.getByRole('button', { name: ru('recover.sendLink') }).click()
  await expect(page.getByText(ru('field.required'))).toBeVisible()
  await page.getByLabel(ru('recover.name')).fill(nickname)
  await page.getByRole('button', { name: ru('recover.sendLink') }).click()
  await expect(page.getByRole('status')).toHaveText(ru('recover.linkSent'))
  await expect.poll(() => smtp.mails.length, { timeout: 30_000 }).toBe(1)
  expect(smtp.mails[0]?.to).toBe('lola@example.com')
  const mail = readMail(smtp.mails[0]?.data ?? '')
  const link = new RegExp(`${store.url}(/new-password#[\\w-]{32})`).exec(mail)?.[1] ?? ''
  expect(link).not.toBe('')

  await open(page, link)
  await expect(page).toHaveURL('/new-password')
  await page.getByLabel(ru('profile.newPassword'), { exact: true }).fill('other-pass-8')
  await page.getByLabel(ru('register.confirmPassword'), { exact: true }).fill('other-pass-9')
  await page.getByRole('button', { name: ru('profile.savePassword') }).click()
  await expect(page.getByText(ru('field.passwords_dont_match'))).toBeVisible()
  expect(await axeOn(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('new-password.png'), fullPage: true })
  await page.getByLabel(ru('register.confirmPassword'), { exact: true }).fill('other-pass-8')
  await page.getByRole('button', { name: ru('profile.savePassword') }).click()
  await expect(page).toHaveURL('/')
  await open(page, '/profile')
  await expect(page.getByText(nickname).first()).toBeVisible()

  // The link is spent, and was in no address that a server was asked for.
  await open(page, link)
  await page.getByLabel(ru('profile.newPassword'), { exact: true }).fill('third-pass-8')
  await page.getByLabel(ru('register.confirmPassword'), { exact: true }).fill('third-pass-8')
  await page.getByRole('button', { name: ru('profile.savePassword') }).click()
  await expect(page.getByRole('alert')).toHaveText(ru('newPassword.over'))
  await page.getByRole('link', { name: ru('recover.title') }).click()
  await expect(page).toHaveURL('/recover')
  await page.goBack()
  await expect(page).toHaveURL('/new-password')
  expect(asked.filter((address) => address.includes(link.split('#')[1] ?? '-'))).toEqual([])

  await page.context().close()
  await store.stop()
  await smtp.close()
  await telegram.close()
})

/** Reads the lines of a mail, which may be encoded for letters beyond ASCII. */
function readMail(mail: string): string {
  const [headers = '', ...body] = mail.split(/\r?\n\r?\n/)
  const text = body.join('\n\n')
  if (/encoding: base64/i.test(headers)) return Buffer.from(text, 'base64').toString()
  return text.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
}
