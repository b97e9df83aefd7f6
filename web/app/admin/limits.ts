/** Numbers of the admin area. They stand apart from WEB_LIMITS, which comes with the first page of the store. */
export const ADMIN_LIMITS = {
  /** The pause in typing after which what was typed is looked up. */
  typingPauseMs: 300,

  /** The largest file of codes that is read, and how much may be packed in one. */
  fileBytes: 50_000_000,
  unpackedBytes: 150_000_000,
  /** How much of it is read at once, so that the page stays responsive. */
  signsAtOnce: 65_536,
  /** Each cost and each day of expiry is an import of its own. */
  batchesMax: 500,
  /** For how many kinds of files the browser remembers what their columns are. */
  mappingsMax: 30,
  /** The rows of a file that are shown beside the choice of its columns. */
  rowsShown: 5,
  /** A long import is sent in parts of so many lines, or characters. */
  partLines: 5_000,
  partLength: 2_000_000,
  /** How many parts of one import are under way at once. */
  partsAtOnce: 3,
  /** The most problems that are shown of an import. */
  problemsShown: 200,
} as const
