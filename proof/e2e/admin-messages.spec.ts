import { expect, test } from '@playwright/test'
import { startTelegram, type TelegramDouble, telegramRefusals } from '../../server/test/doubles/telegram.ts'
import { watchConsole } from './complaints.ts'
import { anAdmin, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

let telegram: TelegramDouble
let store: Store
test.beforeAll(async () => {
  telegram = await startTelegram()
  store = await startStore({ TELEGRAM_BASE_URL: telegram.url })
})
test.afterAll(async () => {
  await store.stop()
  await telegram.close()
})

test('the owner connects a bot, adds a chat, gets the test message, and learns that the chat blocked the bot', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  const complaints = watchConsole(page)
  await openTab(page, 'messages', await anAdmin(page))
  await expect(page.getByText(ru('admin.messages.nobody'))).toBeVisible()

  const channel = page.getByRole('region', { name: ru('admin.messages.channel.telegram'), exact: true })
  await expect(channel).toContainText(ru('admin.messages.channelStates.not_set_up'))
  await channel.getByRole('button', { name: ru('admin.payMethods.setUp') }).click()
  const account = page.getByRole('dialog')
  await account.getByLabel(ru('admin.messages.settings.TELEGRAM_BOT_TOKEN')).fill(telegram.token)
  await account.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(account).toHaveCount(0)
  await expect(channel).toContainText(ru('admin.messages.channelStates.on'))
  expect(await page.content()).not.toContain(telegram.token)

  await page.getByRole('button', { name: ru('admin.messages.add') }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: ru('admin.messages.name'), exact: true }).fill('Ночная смена')
  await form.getByLabel(ru('admin.messages.address.telegram')).fill('nobody')
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form).toContainText(ru('field.invalid_chat'))
  await form.getByLabel(ru('admin.messages.address.telegram')).fill('-1001234567890')
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form).toHaveCount(0)

  const row = page.getByRole('listitem', { name: 'Ночная смена' })
  await row.getByRole('button', { name: ru('admin.messages.testOf', { name: 'Ночная смена' }) }).click()
  await expect(row.getByRole('status')).toContainText(ru('admin.messages.testSent'))
  expect(telegram.messages).toMatchObject([
    { chat_id: '-1001234567890', text: expect.stringContaining(`${store.url}/admin/messages`) },
  ])
  const outbox = page.getByRole('region', { name: ru('admin.messages.outbox') })
  await expect(outbox).toContainText(ru('admin.messages.states.sent'))

  telegram.chats.set('-1001234567890', telegramRefusals.blocked)
  await row.getByRole('button', { name: ru('admin.messages.testOf', { name: 'Ночная смена' }) }).click()
  await expect(row).toContainText(ru('admin.messages.fault.blocked'))
  await expect(row).toContainText(ru('admin.messages.off'))
  await expect(outbox).toContainText(ru('admin.messages.states.failed'))

  const texts = page.getByRole('form', { name: ru('admin.messages.notificationTexts') })
  const delivered = texts.getByRole('textbox', {
    name: ru('admin.messages.notificationText.delivered'),
    exact: true,
  })
  await delivered.fill('Заказ {order} готов, {имя}')
  await texts.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(texts).toContainText(ru('field.wrong_placeholder'))
  await delivered.fill('Заказ {order} готов, спасибо!\n{link}')
  const preview = texts.getByRole('region', {
    name: ru('admin.messages.previewOf', { name: ru('admin.messages.notificationText.delivered') }),
  })
  await expect(preview).toContainText(`Заказ 7ZK3M9Q2XB готов, спасибо!\n${store.url}/orders/7ZK3M9Q2XB`)
  await texts.screenshot({ path: test.info().outputPath('notification-texts.png') })
  await texts.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()
  await texts.getByRole('button', { name: ru('admin.shop.history') }).click()
  await page.getByRole('button', { name: ru('admin.shop.restoreVersion', { number: '1' }) }).click()
  await expect(delivered).toHaveValue('')

  const told = page.getByRole('form', { name: ru('admin.messages.operatorTexts') })
  const raised = told.getByRole('textbox', { name: ru('admin.messages.notificationText.raised'), exact: true })
  await raised.fill('Внимание: {title}\nЕщё {count}: {link}')
  await told.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(told).toContainText(ru('field.link_missing'))
  await raised.fill('Внимание: {title}\nВсего: {count}\n{link}')
  await expect(
    told.getByRole('region', {
      name: ru('admin.messages.previewOf', { name: ru('admin.messages.notificationText.raised') }),
    }),
  ).toContainText(`Всего: 3\n${store.url}/admin/alerts?state=open&search=supplier.out`)
  await told.screenshot({ path: test.info().outputPath('operator-texts.png') })
  await told.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()

  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(complaints).toEqual([])
  await page.context().close()
})
