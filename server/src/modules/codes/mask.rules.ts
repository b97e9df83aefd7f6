const hidden = '••••'
const shownSigns = 4
/** Of a shorter code its last signs would be too much of it. */
const shortest = 12

/** A code as lists show it: enough to know one again, too little to use it. */
export const maskOf = (code: string): string =>
  code.length < shortest ? hidden : `${hidden}${code.slice(-shownSigns)}`
