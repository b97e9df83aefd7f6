import { readFileSync, writeFileSync } from 'node:fs'
import { program, Refusal, root } from '../../scripts/run.mjs'

const weights = { min: 400, max: 800 }

/** Letters of each of the whole files. */
const letters = {
  latin: `${span(0x20, 0x7e)}\u00a0«»©·×ʻʼ–—‘’“”•…€−`,
  cyrillic: `${span(0x410, 0x44f)}Ёё№`,
  'latin-ext': '₸₽',
}

/** Codes are made of these, and hidden ones of dots. */
const codeLetters = `${span(0x20, 0x7e)}\u00a0•…`

const folder = `${root}web/app/theme/fonts/`

/** Cuts the shop's font down to the letters and weights its texts have; other letters come from the whole files. */
await program(async () => {
  const cutFont = await loadCutter()
  const faces = []
  for (const [name, text] of Object.entries(letters)) {
    const whole = readFileSync(`${root}node_modules/@fontsource-variable/onest/files/onest-${name}-wght-normal.woff2`)
    const cut = await cutFont(whole, text, { targetFormat: 'woff2', variationAxes: { wght: weights } })
    writeFileSync(`${folder}onest-${name}.woff2`, cut)
    faces.push(toFace(name, text))
    console.log(`${name}: ${whole.length} -> ${cut.length} bytes`)
  }
  // Only tickets are set in it, and their styles name it. Its ligatures would turn parts of a code into arrows.
  const mono = `${root}studio/node_modules/@fontsource/jetbrains-mono/files/jetbrains-mono-latin-700-normal.woff2`
  const codes = await cutFont(readFileSync(mono), codeLetters, { targetFormat: 'woff2', noLayoutClosure: true })
  writeFileSync(`${folder}code.woff2`, codes)
  writeFileSync(`${folder}fonts.css`, `/* Made by \`npm --prefix studio run fonts\`. */\n${faces.join('\n')}`)
  return 0
})

/** The store is installed without the studio's packages, so the types of this one are not there either. */
async function loadCutter() {
  const cutter = 'subset-font'
  try {
    return (await import(cutter)).default
  } catch {
    throw new Refusal('The font cutter is not installed; run npm --prefix studio install first.')
  }
}

/** @type {(first: number, last: number) => string} */
function span(first, last) {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, at) => first + at))
}

/**
 * Comes after the whole files and says the same weights, so that it is asked first.
 * @type {(name: string, text: string) => string}
 */
function toFace(name, text) {
  return `@font-face {
  font-family: "Onest Variable";
  font-style: normal;
  font-weight: 100 900;
  font-display: swap;
  src: url("./onest-${name}.woff2") format("woff2");
  unicode-range: ${toRanges(text).join(', ')};
}
`
}

/** @param {string} text */
function toRanges(text) {
  const codes = new Set([...text].map((letter) => letter.charCodeAt(0)).sort((one, other) => one - other))
  const firsts = [...codes].filter((code) => !codes.has(code - 1))
  return firsts.map((first) => {
    let last = first
    while (codes.has(last + 1)) last++
    return first === last ? `U+${first.toString(16)}` : `U+${first.toString(16)}-${last.toString(16)}`
  })
}
