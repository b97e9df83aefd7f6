import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toSubject, type View } from '../../proof/e2e/screens/screen.ts'
import { Refusal, root } from '../../scripts/run.mjs'
import type { Picture, Variant } from './take.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    missing: { type: 'boolean' },
    out: { type: 'string' },
    only: { type: 'string' },
    widths: { type: 'string' },
    languages: { type: 'string' },
    themes: { type: 'string' },
    variants: { type: 'string' },
  },
})

const narrowing = ['only', 'widths', 'languages', 'themes', 'variants'] as const

/** Whether every screen is wanted in every look, and not those that the documentation keeps. */
export const isEverything = values.all === true || narrowing.some((name) => values[name] !== undefined)

/** Whether what is there already is left as it is. */
export const isForMissing = values.missing === true

const from = process.env.INIT_CWD ?? process.cwd()
const ownFolder = join(root, 'studio/pictures')

/** Where pictures go that somebody wants to look through; undefined where each has a place of its own. */
export const folder = values.out !== undefined ? resolve(from, values.out) : isEverything ? ownFolder : undefined

const list = <Value extends string>(name: (typeof narrowing)[number], known: readonly Value[]): readonly Value[] => {
  const wanted = values[name]?.split(',').map((value) => value.trim())
  const strange = wanted?.find((value) => !known.some((one) => one === value))
  if (strange !== undefined) throw new Refusal(`--${name} knows ${known.join(', ')}, and no ${strange}.`)
  return known.filter((value) => !wanted || wanted.includes(value))
}

interface Look {
  view: View
  variant: Variant
}

/** The narrowest screen is where large text has to prove itself. */
const largeTextWidth = 360

/** Every look that is wanted: width, language and theme, as it is, with long names, with large text. */
export function readLooks(): Look[] {
  const widths = list('widths', ['360', '768', '1440']).map(Number)
  const languages = list('languages', ['ru', 'en', 'uz'])
  const themes = list('themes', ['dark', 'light'])
  return list<Variant>('variants', ['usual', 'long-names', 'large-text']).flatMap((variant) =>
    widths
      .filter((width) => variant !== 'large-text' || width === largeTextWidth)
      .flatMap((width) =>
        languages.flatMap((language) =>
          themes.map((theme) => {
            const name = [width, language, theme, ...(variant === 'usual' ? [] : [variant])].join('-')
            return { view: { name, width, language, theme }, variant }
          }),
        ),
      ),
  )
}

/** Those pictures that were asked for: by `--only`, which names screens and what they are states of, or by a name each. */
export function narrow(all: Picture[]): Picture[] {
  const only = list('only', [...new Set(all.flatMap(({ screen }) => [toSubject(screen), screen.name]))])
  const isWanted = ({ id, screen, view }: Picture, wanted: string) => [id, screen.name, view.name].includes(wanted)
  for (const wanted of positionals) {
    if (!all.some((picture) => isWanted(picture, wanted))) throw new Refusal(`There is no picture ${wanted}.`)
  }
  return all.filter(
    (picture) =>
      (values.only === undefined ||
        [toSubject(picture.screen), picture.screen.name].some((name) => only.includes(name))) &&
      (positionals.length === 0 || positionals.some((wanted) => isWanted(picture, wanted))),
  )
}
