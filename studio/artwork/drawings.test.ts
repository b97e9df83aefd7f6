import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawAll, photographs, sharedSize } from './draw-all.ts'

test.each(Object.entries(drawAll()))('web/public/%s is what the studio draws', (name, svg) => {
  expect(readFileSync(new URL(`../../web/public/${name}`, import.meta.url), 'utf8')).toBe(svg)
})

test.each(Object.keys(photographs))('web/public/%s is as large as shared links show it', async (name) => {
  const { format, width, height } = await sharp(
    new URL(`../../web/public/${name}`, import.meta.url).pathname,
  ).metadata()
  expect({ format, width, height }).toEqual({ format: 'jpeg', ...sharedSize })
})
