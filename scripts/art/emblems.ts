import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const fromHere = createRequire(import.meta.url)

/** The one path of a simple-icons brand mark, in a box of 24 by 24. */
export function brandMark(slug: string): string {
  const svg = readFileSync(fromHere.resolve(`simple-icons/icons/${slug}.svg`), 'utf8')
  const path = /<path d="([^"]+)"/.exec(svg)?.[1]
  if (!path) throw new Error(`simple-icons has no path for ${slug}`)
  return path
}

/** Emblems of our own, for games whose mark is not in simple-icons; they quote no trademark. */
export const ownEmblems = {
  crossedBlades:
    'M22.5 1.2 17.6 2.6 6.2 15.6 4.6 14.2 3.2 15.6 5.2 17.6 1.6 21.2 2.8 22.4 6.4 18.8 8.4 20.8 9.8 19.4 8.4 17.8 20.6 5.9zM3.4 5.9 15.6 17.8 14.2 19.4 15.6 20.8 17.6 18.8 21.2 22.4 22.4 21.2 18.8 17.6 20.8 15.6 19.4 14.2 17.8 15.6 6.4 2.6 1.5 1.2z',
  /** The mark of the shop. */
  diamond:
    'M6 3.5h5L8 9H2.2zM13 3.5h5l3.8 5.5H16zM12 4.2 15 9H9zM2.3 10h5.9l3 9.6zM9.3 10h5.4L12 19.4zM15.8 10h5.9l-8.9 9.6z',
  compassStar:
    'M12 0 14.3 9.7 24 12 14.3 14.3 12 24 9.7 14.3 0 12 9.7 9.700zM12 3.800a8.2 8.2 0 0 1 0 16.4 8.2 8.2 0 0 1 0-16.400zm0 1.300a6.9 6.9 0 0 0 0 13.8 6.9 6.9 0 0 0 0-13.800z',
  flame:
    'M12.6 0c.7 3.3 2.5 5 4.2 7.2 1.7 2.2 3 4.5 3 7.6 0 5.1-3.5 9.2-7.8 9.200s-7.8-3.7-7.8-8.700c0-3.5 1.7-5.9 3.3-7.8.1 1.9.6 3.2 1.7 4.200C9.5 7.6 10.2 3.3 12.6 0zM12.2 12.400c-1.9 2-3.5 3.7-3.5 6 0 2.2 1.5 3.6 3.4 3.600s3.3-1.5 3.3-3.500c0-2.4-1.6-4-3.2-6.100z',
  flameTicket:
    'M1.5 5h21A1.5 1.5 0 0 1 24 6.500v2.600a3 3 0 0 0 0 5.800v2.600a1.5 1.5 0 0 1-1.5 1.500h-21A1.5 1.5 0 0 1 0 17.500v-2.600a3 3 0 0 0 0-5.800V6.500A1.5 1.5 0 0 1 1.5 5zM12.3 6.700c-1.2 1.7-1.6 3.4-1.3 5.2-.6-.5-.9-1.2-1-2.1-.9 1.1-1.6 2.3-1.6 3.9 0 2.3 1.6 3.8 3.6 3.800s3.6-1.6 3.6-4c0-1.5-.7-2.7-1.5-3.7-.8-1.1-1.5-1.8-1.8-3.100z',
}
