/** Cuts a list into parts of so many: as many as one test pays well within its time, on a machine that has other things to do. */
export const toParts = <One>(list: readonly One[], ofOneTest: number): One[][] =>
  Array.from({ length: Math.ceil(list.length / ofOneTest) }, (_, at) =>
    list.slice(at * ofOneTest, (at + 1) * ofOneTest),
  )
