// The more particular one first: nearly everybody says Chrome and Safari, too.
const browsers: readonly [RegExp, string][] = [
  [/\bTelegram/i, 'Telegram'],
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\b/, 'Opera'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

// Android says Linux, too; an iPad may say that it is a Mac, and is taken for one.
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (families: readonly [RegExp, string][], text: string): string | null =>
  families.find(([sign]) => sign.test(text))?.[1] ?? null

/** The families of a program and the system it runs on, as its User-Agent says; none of what the header says stays. */
export const readUserAgent = (userAgent: string): { browser: string | null; system: string | null } => ({
  browser: firstOf(browsers, userAgent.slice(0, 1_000)),
  system: firstOf(systems, userAgent.slice(0, 1_000)),
})
