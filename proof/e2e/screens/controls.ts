import type { Page } from 'playwright'

/** How wide and high what one touches is at least. */
const fingerPx = 44
/** How far text may stick out of its box: letters have edges of their own. */
const edgePx = 2

/** What somebody can press, type into or choose, as it stands on the page. */
interface Control {
  /** For people: its element and words. */
  label: string
  box: { x: number; y: number; width: number; height: number }
  /** Whether it is a link within a sentence, which is as high as its line. */
  isInText: boolean
  isDisabled: boolean
}

/** Complains of what can be touched and is smaller than a finger. */
export async function smallTargets(page: Page): Promise<string[]> {
  const small = await page.evaluate(findSmall, fingerPx)
  return small.map(({ label, width, height }) => `small target, ${width} × ${height}: ${label}`)
}

interface Fit {
  edge: number
  /**
   * Whether a name may end in an ellipsis after some lines: where names are as long as they can be, and lead to the whole
   * of them.
   */
  isClampingFine: boolean
}

/** Complains of what leaves the screen at its side, of words that are cut off, and of those that leave their button. */
export const misfits = (page: Page, { isClampingFine = false }: Partial<Fit> = {}): Promise<string[]> =>
  page.evaluate(findMisfits, { edge: edgePx, isClampingFine })

/**
 * Complains of blocks in a button, where HTML has words and pictures alone. The library's own menus have some, whose items
 * are read as items of a menu.
 */
export const blocksInButtons = (page: Page): Promise<string[]> => page.evaluate(findBlocks)

/** Reads the controls that are there to be used: those of the dialog while one is open. */
export const readControls = (page: Page): Promise<Control[]> => page.evaluate(listControls)

/**
 * Puts what they share into the page, and into those that come after it. They run there, and what runs there can't refer to
 * anything outside.
 */
export async function prepareControls(page: Page): Promise<void> {
  await page.addInitScript(defineControls)
  await page.evaluate(defineControls)
}

interface Shared {
  root(): Element
  controls(): HTMLElement[]
  /** What one sees of a control: its label, where the control itself is hidden. */
  readFace(control: HTMLElement): HTMLElement
  readLabel(element: Element): string
  isInText(element: HTMLElement): boolean
  isSeen(element: Element): boolean
}

declare global {
  interface Window {
    olmosControls: Shared
  }
}

function defineControls(): void {
  const wanted = [
    'a[href]',
    'button',
    'input:not([type=hidden])',
    'select',
    'textarea',
    'summary',
    '[role=button], [role=menuitem], [role=tab], [role=radio], [role=checkbox], [role=switch]',
  ].join()
  const isTiny = ({ width, height }: DOMRect) => width <= 2 || height <= 2

  const shared: Shared = {
    root() {
      const open = [...document.querySelectorAll('dialog[open], [role=dialog]')]
      return open.at(-1) ?? document.body
    },
    isSeen(element) {
      if (element.closest('[aria-hidden=true], [inert], .skip-link')) return false
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: false })
    },
    readFace(control) {
      const isHidden = isTiny(control.getBoundingClientRect()) || getComputedStyle(control).opacity === '0'
      const label = control instanceof HTMLInputElement ? control.labels?.[0] : undefined
      return (isHidden && label) || control
    },
    controls() {
      return [...shared.root().querySelectorAll<HTMLElement>(wanted)].filter(
        (control) => shared.isSeen(control) && !isTiny(shared.readFace(control).getBoundingClientRect()),
      )
    },
    readLabel(element) {
      const control = element as HTMLInputElement
      const words = element.getAttribute('aria-label') || control.innerText || control.name || control.value || ''
      const classes = [...element.classList].filter((name) => !/^m_/.test(name)).slice(0, 2)
      return `${[element.localName, ...classes].join('.')} "${words.replace(/\s+/g, ' ').trim().slice(0, 40)}"`
    },
    isInText(element) {
      if (getComputedStyle(element).display !== 'inline') return false
      const around = element.parentElement?.textContent?.trim() ?? ''
      return around.length > (element.textContent?.trim().length ?? 0)
    },
  }
  window.olmosControls = shared
}

function listControls(): Control[] {
  const { controls, readFace, readLabel, isInText } = window.olmosControls
  return controls().map((control) => {
    const { x, y, width, height } = readFace(control).getBoundingClientRect()
    return {
      label: readLabel(control),
      box: { x: x + scrollX, y: y + scrollY, width, height },
      isInText: isInText(control),
      isDisabled: control.matches(':disabled, [aria-disabled=true]'),
    }
  })
}

function findSmall(least: number): { label: string; width: number; height: number }[] {
  const { controls, readFace, readLabel, isInText } = window.olmosControls
  const reach = least / 2 - 1
  const isPressedAt = (control: HTMLElement, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y)
    if (!hit) return false
    return control.contains(hit) || hit.closest('label')?.control === control || readFace(control).contains(hit)
  }
  const small = controls().filter((control) => {
    if (control.matches(':disabled, [aria-disabled=true]') || isInText(control)) return false
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
    const boxes = [readFace(control), ...labels].map((part) => part.getBoundingClientRect())
    const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
    const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
    if (width >= least - 0.5 && height >= least - 0.5) return false
    // What surrounds it may be a part of it, without a box of its own.
    readFace(control).scrollIntoView({ block: 'center', inline: 'center' })
    const { x, y, width: w, height: h } = readFace(control).getBoundingClientRect()
    const [middleX, middleY] = [x + w / 2, y + h / 2]
    const isWide = width >= least - 0.5 || [-reach, reach].every((by) => isPressedAt(control, middleX + by, middleY))
    const isHigh = height >= least - 0.5 || [-reach, reach].every((by) => isPressedAt(control, middleX, middleY + by))
    return !(isWide && isHigh)
  })
  window.scrollTo(0, 0)
  return small.map((control) => {
    const { width, height } = readFace(control).getBoundingClientRect()
    return { label: readLabel(control), width: Math.round(width), height: Math.round(height) }
  })
}

function findMisfits({ edge, isClampingFine }: Fit): string[] {
  const { root, controls, readFace, readLabel, isSeen } = window.olmosControls
  const screen = document.documentElement
  const found = new Set<string>()
  const isScrolled = (element: Element) => {
    for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(one).overflowX)) return true
    }
    return false
  }
  const isOutside = ({ left, right }: DOMRect) => left < -edge || right > screen.clientWidth + edge

  if (screen.scrollWidth > screen.clientWidth) {
    const wide = [...root().querySelectorAll('*')].filter(
      (element) => isSeen(element) && isOutside(element.getBoundingClientRect()) && !isScrolled(element),
    )
    const inner = wide.filter((element) => ![...element.children].some((child) => wide.includes(child))).slice(0, 3)
    found.add(`${screen.scrollWidth} wide on ${screen.clientWidth}: ${inner.map(readLabel).join(', ')}`)
  }
  for (const control of controls()) {
    const face = readFace(control)
    if (isOutside(face.getBoundingClientRect()) && !isScrolled(face)) found.add(`off the screen: ${readLabel(control)}`)
  }

  const walker = document.createTreeWalker(root(), NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement
    const words = text.textContent?.trim() ?? ''
    if (!parent || words === '' || !isSeen(parent) || parent.closest('option, textarea, script, style')) continue
    range.selectNodeContents(text)
    const box = range.getBoundingClientRect()
    if (box.width === 0) continue
    for (let one: Element | null = parent; one && one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY, clipPath, position } = getComputedStyle(one)
      const around = one.getBoundingClientRect()
      // Words for screen readers alone, and those whose place something turning takes while one waits.
      if (one.matches('[data-loading]')) break
      if (around.width <= 2 || clipPath === 'inset(50%)') break
      const isCutX =
        ['hidden', 'clip'].includes(overflowX) && (box.right > around.right + edge || box.left < around.left - edge)
      const isCutY =
        ['hidden', 'clip'].includes(overflowY) && (box.bottom > around.bottom + edge || box.top < around.top - edge)
      if ((isCutX || isCutY) && isClampingFine && getComputedStyle(one).webkitLineClamp !== 'none') break
      if (isCutX || isCutY) {
        found.add(`cut off: "${words.slice(0, 40)}" by ${readLabel(one)}`)
        break
      }
      const isButton = one.matches('button, a[class*=press], a.mantine-Button-root')
      const isLeaving =
        box.right > around.right + edge || box.left < around.left - edge || box.bottom > around.bottom + edge
      if (isButton && isLeaving && position !== 'absolute') {
        found.add(`"${words.slice(0, 40)}" leaves ${readLabel(one)}`)
        break
      }
      // From here on it scrolls, or does not go with what is around it.
      if (['auto', 'scroll'].includes(overflowX) || ['absolute', 'fixed'].includes(position)) break
    }
  }
  return [...found]
}

function findBlocks(): string[] {
  const blocks = [
    ...document.querySelectorAll('button:not([role=menuitem]) :is(div, p, ul, ol, section, h1, h2, h3, h4)'),
  ]
  const complaints = blocks.map((block) => {
    const button = block.closest('button') as HTMLElement
    return `${block.localName} in ${window.olmosControls.readLabel(button)}`
  })
  return [...new Set(complaints)]
}
