/** What docs/glossary.md says about names, as far as a machine can check it. */

interface Word {
  word: string
  say: string
}

/** No camelCase name contains these words. A name in snake_case or in quotes belongs to the wire or the database. */
export const bannedInNames: Word[] = [
  { word: 'hold', say: 'lock, reserve, lease or pending' },
  { word: 'holds', say: 'locks, reservations or leases' },
  { word: 'held', say: 'locked, reserved, leased or pending' },
  { word: 'holding', say: 'locking, reserving or leasing' },
  { word: 'notice', say: 'toast, webhook or notification' },
  { word: 'notices', say: 'toasts, webhooks or notifications' },
  { word: 'anew', say: 'again or retry' },
]

export const bannedNames: Word[] = [
  { word: 'goOn', say: 'resume' },
  { word: 'goOnWith', say: 'resume' },
  { word: 'tellOf', say: 'report or notify' },
  { word: 'giveBack', say: 'refund (money), return (codes)' },
  { word: 'comeAlive', say: 'hydrate' },
  { word: 'makeRoom', say: 'evict or expire, and what' },
]

export const bannedExports: Word[] = [
  { word: 'around', say: 'what it returns' },
  { word: 'along', say: 'what it returns' },
  { word: 'found', say: 'the thing that was found' },
  { word: 'named', say: 'the thing that has the name' },
]

export const bannedInComments: { pattern: RegExp; say: string }[] = [
  { pattern: /^of\b/i, say: 'a sentence with a verb' },
  { pattern: /^the same\b/i, say: 'what it is, for a reader who has seen nothing before it' },
  { pattern: /\bof before\b/i, say: 'earlier, previous' },
  { pattern: /\banew\b/i, say: 'again' },
  { pattern: /\b(come|comes|came|coming) alive\b/i, say: 'hydrate' },
  { pattern: /\b(go|goes|going|went|gone) on with\b/i, say: 'resume' },
  { pattern: /\b(give|gives|gave|given|giving) (\w+ )?back\b/i, say: 'refund (money), return (codes)' },
  { pattern: /\b(tell|tells|told|telling) of\b/i, say: 'report, mention' },
  { pattern: /\b(call|calls|called|tell|tells|told|ring|rings) (for )?the operators?\b/i, say: 'raise an alert' },
  { pattern: /\b(make|makes|made|making) room\b/i, say: 'evict, expire' },
  { pattern: /\bwhat of (it|the|a|that)\b/i, say: 'the part of' },
  { pattern: /\bnoes\b/i, say: 'rejections' },
  { pattern: /^whoever\b|\b(for|to|of|makes|lets) whoever\b/i, say: 'anyone who, the caller, the customer' },
  { pattern: /\ba word of\b/i, say: 'an answer, a webhook' },
  { pattern: /\b(lest|thereof|whence|hitherto|wherein|whereof|naught|nought|ere)\b/i, say: 'a word of this century' },
]

/** Calls by which server code writes to its log. */
export const loggers = ['log', 'logger', 'console']
export const logLevels = ['debug', 'info', 'log', 'warn', 'error', 'fatal']

export const folders = ['contract', 'server', 'web', 'scripts', 'proof', 'studio']

/** Folders of one program, in which a name has one meaning; tests repeat the store's verbs from outside. */
export const scopes = [
  ['contract/src/', 'server/src/'],
  ['contract/src/', 'web/app/'],
  ['server/test/'],
  ['scripts/'],
  ['proof/torture/'],
  ['proof/bench/'],
  ['proof/fuzz/'],
  ['proof/e2e/'],
  ['studio/'],
]

/** Faulty copies of a module export its names, and a dictionary exports those of the other languages. */
export const twinFiles = /\/planted-[^/]+$|\/(en|ru|uz)\.ts$/

/** The router calls these by name, so every page may export its own. */
export const namesForTheRouter = [
  'ErrorBoundary',
  'Layout',
  'links',
  'loader',
  'makeContext',
  'meta',
  'shouldRevalidate',
]

/** Files that still hand the statements of a transaction over as an array. */
export const positionalFiles = [
  // It tests what such an array does.
  'server/src/platform/database/database.test.ts',
]

export const shortestFile = 15

/** Files that are short for a reason of their own. */
export const shortFiles = [
  // The types of a file of pg that has none of its own.
  'server/src/platform/database/pg-utils.d.ts',
]

/** Fewer names out of a module mean fewer words to keep in mind. */
export const exportsPerThousandLines = 35
