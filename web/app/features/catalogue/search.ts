/** Whether a product is one that is looked for: any keyword, or its title, has the text in it, whatever the case. */
export function isFound(wanted: string, product: { title: string; keywords: readonly string[] }): boolean {
  const text = wanted.trim().toLowerCase()
  return [product.title, ...product.keywords].some((keyword) => keyword.toLowerCase().includes(text))
}
