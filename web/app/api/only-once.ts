/** Rows of several pages, each once: one that is new between the reading of two pages moves another into both. */
export const onlyOnce = <Row extends { id: PropertyKey }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]
