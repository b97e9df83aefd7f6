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
  { pattern: /\bnoes\b/i, say: 'rejections' },
  { pattern: /\bwhoever\b/i, say: 'anyone who, the caller, the customer' },
  { pattern: /\ba word of\b/i, say: 'an answer, a webhook' },
  { pattern: /\b(lest|thereof|whence|hitherto|wherein|whereof|naught|nought|ere)\b/i, say: 'a word of this century' },
]

export const folders = ['contract', 'server', 'web', 'scripts', 'torture', 'bench', 'fuzz', 'e2e']

/** Folders that are read but not held to the words yet. */
export const uncheckedFolders = ['web/app', 'torture', 'bench', 'fuzz', 'e2e', 'scripts']

/** Folders that one file could import from together; among them a name has one meaning. */
export const scopes = [
  ['contract/src', 'server/src', 'server/test'],
  ['contract/src', 'web/app'],
  ['scripts'],
  ['torture'],
  ['bench'],
  ['fuzz'],
  ['e2e'],
]

/** Faulty copies of a module export its names, because they stand in for it. */
export const planted = /\/planted-[^/]+$/

/** The router calls these by name, so every page may export its own. */
export const namesForTheRouter = ['ErrorBoundary', 'Layout', 'links', 'loader', 'meta', 'shouldRevalidate']

/** Files that still hand the statements of a transaction over as an array. */
export const positionalFiles: string[] = []

export const shortestFile = 15

/** Files that are short because nothing of their kind is a neighbour. */
export const shortFiles: string[] = []

/** Fewer names out of a module mean fewer words to keep in mind. */
export const exportsPerThousandLines = 41
