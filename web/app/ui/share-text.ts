/** Whether the browser can hand a text to other apps. Only in a browser, on pages with HTTPS. */
export const canShare = (): boolean => 'share' in navigator

/** Hands a text to another app; says whether that worked. Who thinks better of it has not failed. */
export async function shareText(text: string): Promise<boolean> {
  try {
    await navigator.share({ text })
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
