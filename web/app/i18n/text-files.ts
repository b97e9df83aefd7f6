/** Where each part of a dictionary is (`ru?first`), so that a page can ask for it at once. The build fills it in: split-texts.ts. */
export const textFiles: Readonly<Record<string, string>> = {}
