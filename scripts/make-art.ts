import { mkdirSync, writeFileSync } from 'node:fs'
import { everyDrawing } from './art/drawings.ts'
import { drawIcon } from './art/icon.ts'

/** Draws the artwork of the shop again: node_modules/.bin/node scripts/make-art.ts */
const publicFolder = new URL('../web/public/', import.meta.url)
mkdirSync(new URL('art/', publicFolder), { recursive: true })

for (const [name, svg] of Object.entries(everyDrawing())) writeFileSync(new URL(name, publicFolder), svg)
for (const size of [192, 512]) writeFileSync(new URL(`icon-${size}.png`, publicFolder), drawIcon(size))
