import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toSubject } from '../../proof/e2e/screens/screen.ts'
import type { Picture } from './take.ts'

/** Writes a page with all pictures that lie in a folder, screen by screen, to look through and to sift. */
export async function writeSheet(folder: string, pictures: readonly Picture[]): Promise<string> {
  const taken = pictures.filter(({ path }) => existsSync(path))
  const path = join(folder, 'index.html')
  await writeFile(path, toPage(taken))
  return path
}

const toPage = (pictures: readonly Picture[]): string => {
  const subjects = Map.groupBy(pictures, ({ screen }) => toSubject(screen))
  const sifts = (['width', 'language', 'theme'] as const).map((name) => ({
    name,
    values: [...new Set(pictures.map(({ view }) => String(view[name])))],
  }))
  const all = [...sifts, { name: 'variant', values: [...new Set(pictures.map(({ variant }) => variant))] }]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${pictures.length} pictures of the shop</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 0 16px 64px; background: #222; color: #eee }
a { color: inherit }
.sifts { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 4px 24px; padding: 8px 0; background: #222 }
.subjects { columns: 8em }
.row { display: flex; gap: 12px; align-items: flex-start; padding-bottom: 8px; overflow-x: auto }
figure { flex: none; margin: 0 }
img { display: block; width: 180px; height: auto; max-height: 420px; object-fit: cover; object-position: top }
[data-width="768"] img { width: 260px }
[data-width="1440"] img { width: 400px }
figcaption { font-size: 12px }
${all.flatMap(({ name, values }) => values.map((value) => hideRule(name, value))).join('\n')}
</style>
<h1>${pictures.length} pictures</h1>
<p class="subjects">${[...subjects.keys()].map((subject) => `<a href="#${subject}">${subject}</a>`).join('<br>')}</p>
<form class="sifts">${all.map(({ name, values }) => `<span>${values.map((value) => box(name, value)).join(' ')}</span>`).join('')}</form>
${[...subjects].map(([subject, ofSubject]) => toSection(subject, ofSubject)).join('\n')}
</html>
`
}

const hideRule = (name: string, value: string) =>
  `body:has(#${name}-${value}:not(:checked)) [data-${name}="${value}"] { display: none }`

const box = (name: string, value: string) =>
  `<label><input type="checkbox" id="${name}-${value}" checked>${value}</label>`

function toSection(subject: string, pictures: readonly Picture[]): string {
  const screens = Map.groupBy(pictures, ({ screen }) => screen.name)
  const rows = [...screens].map(
    ([name, ofScreen]) => `<h3>${name}</h3>\n<div class="row">${ofScreen.map(toFigure).join('')}</div>`,
  )
  return `<h2 id="${subject}">${subject}</h2>\n${rows.join('\n')}`
}

const toFigure = ({ id, view: { width, language, theme }, variant }: Picture): string => {
  const file = `${id}.jpg`
  const caption = [width, language, theme, ...(variant === 'usual' ? [] : [variant])].join(' ')
  return `<figure data-width="${width}" data-language="${language}" data-theme="${theme}" data-variant="${variant}"><a href="${file}"><img loading="lazy" src="${file}" alt="${caption}"></a><figcaption>${caption}</figcaption></figure>`
}
