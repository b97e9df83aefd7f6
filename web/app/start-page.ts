interface StartTexts {
  /** Shown when the page can't be hydrated, and on the button that reloads it. */
  failed: string
  reload: string
}

/**
 * Runs in the browser inside the page, before any file of scripts is there, and sees to it that nothing gets lost until
 * the page is hydrated: what is typed and sent meanwhile, and the visitor who would press buttons that do nothing. It may
 * use nothing of this file.
 */
export function startPage(texts: StartTexts): void {
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  const root = document.documentElement
  const isHydrated = () => 'hydrated' in root.dataset

  // Scripts load after the first paint, which needs none: they would compete with it for network and processor.
  const loadScripts = () => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) {
      link.onerror = recover
      link.rel = 'modulepreload'
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = document.querySelector('script[type=later]')?.textContent ?? ''
    script.onerror = recover
    document.head.append(script)
  }

  // A link with a coupon may lead to any page: the checkout of this visit finds the coupon there.
  const coupon = new URLSearchParams(location.search).get('coupon')
  try {
    if (coupon) sessionStorage.setItem('coupon', coupon)
  } catch {
    // The browser keeps nothing for this site: the code can be typed.
  }

  // Hydration begins with empty fields: what was typed, or filled in by the browser, is put in again as if typed now.
  const typed = new Map<Field, string | boolean>()
  let delayed: { form: HTMLFormElement; submitter: HTMLElement | null } | undefined
  const isChoice = (field: Field): field is HTMLInputElement => /^(?:checkbox|radio)$/.test(field.type)
  const note = ({ target }: Event) => {
    const isField = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    if (isField)
      typed.set(
        target as Field,
        isChoice(target as Field) ? (target as HTMLInputElement).checked : (target as Field).value,
      )
  }
  const delaySubmit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    delayed = { form: event.target as HTMLFormElement, submitter: event.submitter }
  }
  const refill = (field: Field, value: string | boolean) => {
    if (typeof value === 'boolean') {
      if (isChoice(field) && field.checked !== value) field.click()
      return
    }
    const caret = field.tagName === 'SELECT' ? null : (field as HTMLInputElement).selectionStart
    const write = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
    // React looks whether the text differs from what it saw last, which it learns through the field's own setter.
    field.value = ''
    write?.call(field, value)
    if (caret !== null && document.activeElement === field) (field as HTMLInputElement).setSelectionRange(caret, caret)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (field.tagName === 'SELECT') field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const replay = () => {
    removeEventListener('input', note, true)
    removeEventListener('change', note, true)
    removeEventListener('submit', delaySubmit, true)
    for (const [field, value] of typed) if (field.isConnected) refill(field, value)
    typed.clear()
    document.querySelector('.start-failed')?.remove()
    // By then React has rendered what was put in.
    if (delayed?.form.isConnected) setTimeout(({ form, submitter }) => form.requestSubmit(submitter), 0, delayed)
  }

  // After a deploy old files are gone, and a reload brings the page that goes with the new ones. The history entry
  // remembers the attempt, which needs no storage, so that there is no endless loop.
  const recover = () => {
    // Without a network a reload would take away a page that can be read, and bring nothing.
    if (!isHydrated() && !navigator.onLine) {
      addEventListener('online', recover, { once: true })
      return
    }
    const isTried = Math.abs(Date.now() - (history.state?.reloadedAt ?? 0)) < 60_000
    if (!isTried) {
      history.replaceState({ ...history.state, reloadedAt: Date.now() }, '')
      location.reload()
      return
    }
    if (isHydrated() || document.querySelector('.start-failed')) return
    const message = document.createElement('div')
    message.className = 'start-failed'
    message.role = 'alert'
    message.textContent = texts.failed
    const button = document.createElement('button')
    button.textContent = texts.reload
    button.onclick = () => location.reload()
    message.append(button)
    document.body.append(message)
  }
  /** Every browser has its own words for it. */
  const recoverFrom = (error: unknown) => {
    if (/dynamically imported module|module script|preload CSS/i.test(String(error))) recover()
  }

  addEventListener('input', note, true)
  addEventListener('change', note, true)
  addEventListener('submit', delaySubmit, true)
  addEventListener('loadfailed', (event) => recoverFrom((event as CustomEvent<unknown>).detail))
  new MutationObserver((_, observer) => {
    observer.disconnect()
    replay()
  }).observe(root, { attributeFilter: ['data-hydrated'] })
  addEventListener('DOMContentLoaded', () => {
    // A page that nobody looks at is not painted.
    if (document.hidden) loadScripts()
    else requestAnimationFrame(() => setTimeout(loadScripts))
  })
}
