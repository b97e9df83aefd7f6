const days = 365

/** Keeps a choice where the server sees it with the next page; a browser that wants no cookies does without. */
export function keepCookie(name: string, value: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = `${name}=${value}; path=/; max-age=${days * 86_400}; samesite=lax`
  } catch {
    // Pages that are shown inside others, and kept from their own data, throw here.
  }
}
