/** Puts a text on the clipboard; says whether it got there. Pages without HTTPS have no clipboard, only the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
    return copyBySelection(text)
  } catch {
    return copyBySelection(text)
  }
}

/**
 * Copies a text that a press has asked for and that is still on its way. Safari takes it only if the clipboard is told so
 * within the press itself. Rejects when the text does not come.
 */
export async function copyComing(text: Promise<string>): Promise<boolean> {
  const blob = text.then((come) => new Blob([come], { type: 'text/plain' }))
  // Its failure is that of the text.
  blob.catch(() => {})
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyText(await text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
