import { expect, type Page, test } from '@playwright/test'
import { everyRuleOn } from './complaints.ts'
import { blocksInButtons, misfits, prepareControls, smallTargets } from './screens/controls.ts'
import { customerScreens } from './screens/customer.ts'
import { unseenChoices, unseenControls } from './screens/forced-colors.ts'
import { wrongNames } from './screens/names.ts'
import { enlargeText } from './screens/show.ts'
import { states } from './screens/states.ts'

test('every screen and every state has a name of its own', () => {
  const names = [...customerScreens, ...states].map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

/** Shows a page of one's own, with nothing but this in it. */
const show = (page: Page, body: string) =>
  page.setContent(
    `<!doctype html><html lang="ru"><meta name="viewport" content="width=device-width"><title>Проверка</title>
     <style>* { box-sizing: border-box } body { margin: 0 } .high { min-width: 44px; min-height: 44px }</style>
     <main style="padding: 16px"><h1>Проверка</h1>${body}</main>`,
  )

const findings = async (page: Page, check: (page: Page) => Promise<string[]>) => {
  await prepareControls(page)
  return (await check(page)).join('\n')
}

test('a target that is too small is found, and one that only looks small is not', async ({ page }) => {
  await show(
    page,
    `<button style="width: 30px; height: 44px">Ой</button>
     <p>В этом предложении <a href="#a">ссылка</a> стоит среди слов.</p>
     <label class="high" style="display: inline-block"><input type="radio" style="opacity: 0; position: absolute">Выбор</label>
     <style>.wide { position: relative; width: 20px; height: 20px; margin: 30px } .wide::after { content: ""; position: absolute; inset: -14px }</style>
     <button class="wide" aria-label="Широкая"></button>`,
  )
  expect(await findings(page, smallTargets)).toBe('small target, 30 × 44: button "Ой"')
})

test('what leaves the screen, is cut off or leaves its button is found', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await show(
    page,
    `<div style="width: 80px; overflow: hidden; white-space: nowrap">Отрезанные слова этой строки</div>
     <button style="width: 80px; height: 44px; white-space: nowrap">Слова шире кнопки, и намного</button>
     <div style="overflow-x: auto"><button style="margin-left: 900px">В ряду</button></div>`,
  )
  expect((await findings(page, misfits)).split('\n')).toEqual([
    expect.stringContaining('cut off: "Отрезанные слова'),
    expect.stringContaining('leaves button'),
  ])
  await show(page, '<button style="margin-left: 12rem" class="high">Кнопка</button>')
  expect(await findings(page, misfits)).toBe('')
  await enlargeText(page, 2)
  expect(await findings(page, misfits)).toContain('off the screen: button.high "Кнопка"')
})

test('a block in a button is found, and one in an item of a menu is not', async ({ page }) => {
  await show(
    page,
    '<button class="high"><div>Блок</div></button><button role="menuitem"><div>Пункт</div></button><button><span>Да</span></button>',
  )
  expect(await findings(page, blocksInButtons)).toBe('div in button.high "Блок"')
})

test('a control without a name, or with one of another language, is found', async ({ page }) => {
  await show(
    page,
    `<button class="high"></button><button>Log in</button><button>Войти</button><a href="/products">Roblox</a>
     <button aria-label="Язык: Русский">RU</button>`,
  )
  expect(await wrongNames(page, 'ru')).toEqual([
    expect.stringContaining('a button without a name'),
    'a button in another language: Log in',
  ])
  expect(await wrongNames(page, 'en')).toEqual([
    expect.stringContaining('a button without a name'),
    'a button in another language: Войти',
  ])
})

test('what is drawn by colours alone is found where a reader has chosen others', async ({ browser }) => {
  const context = await browser.newContext({ forcedColors: 'active', viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  const choice = (name: string, checked: boolean) =>
    `<label class="${name} high"><input type="radio" name="${name}" ${checked ? 'checked' : ''}>${checked}</label>`
  await show(
    page,
    `<style>
       input { position: absolute; opacity: 0 }
       label { display: inline-block; border: 1px solid grey }
       .tinted:has(:checked) { background: gold }
       .edged:has(:checked) { outline: 3px solid }
       .slab { border: 0; background: gold; color: transparent }
     </style>
     <button class="slab high" aria-label="Плита"></button><button class="high">Слова</button>
     <div role="radiogroup" aria-label="А">${choice('tinted', true)}${choice('tinted', false)}</div>
     <div role="radiogroup" aria-label="Б">${choice('edged', true)}${choice('edged', false)}</div>`,
  )
  expect((await unseenControls(page)).join('\n')).toMatch(/^nothing to be seen of button\.slab\.high "Плита": 1\.0:1$/)
  expect(await unseenChoices(page)).toEqual([expect.stringContaining('chosen, it looks as before')])
  await context.close()
})

test('axe is asked about targets and names that do not match, too, and in the light theme', async ({ page }) => {
  await show(
    page,
    `<style>[data-mantine-color-scheme=light] p { color: #ccc; background: #fff }</style><p>Бледные слова</p>
     <div style="display: flex"><button style="width: 12px; height: 12px" aria-label="Раз"></button>
     <button style="width: 12px; height: 12px" aria-label="Два"></button></div>
     <button aria-label="Совсем другое">Купить сейчас</button>`,
  )
  const all = (await everyRuleOn(page)).join('\n')
  expect(all).toContain('target-size')
  expect(all).toContain('label-content-name-mismatch')
  expect(all).toContain('light: color-contrast')
})
