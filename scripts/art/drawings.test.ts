import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyDrawing } from './drawings.ts'

test.each(Object.entries(everyDrawing()))('web/public/%s is what scripts/make-art.ts draws', (name, svg) => {
  expect(readFileSync(new URL(`../../web/public/${name}`, import.meta.url), 'utf8')).toBe(svg)
})
