import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawAll } from './draw-all.ts'

test.each(Object.entries(drawAll()))('web/public/%s is what the studio draws', (name, svg) => {
  expect(readFileSync(new URL(`../../web/public/${name}`, import.meta.url), 'utf8')).toBe(svg)
})
