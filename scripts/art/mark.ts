import { outline, type Point } from './geometry.ts'

export interface Pane {
  colour: string
  corners: Point[]
}

/** The mark of the shop in a box of 24 by 24: a diamond from the side, cyan on the left, violet on the right. */
export const markPanes: Pane[] = [
  pane('#8ff3ff', [6.6, 3.5], [12, 3.5], [8.3, 9.2]),
  pane('#2fd3f5', [6.6, 3.5], [8.3, 9.2], [1.5, 9.2]),
  pane('#e9fbff', [12, 3.5], [15.7, 9.2], [8.3, 9.2]),
  pane('#b9b4ff', [12, 3.5], [17.4, 3.5], [15.7, 9.2]),
  pane('#8b7bff', [17.4, 3.5], [22.5, 9.2], [15.7, 9.2]),
  pane('#15a6dd', [1.5, 9.2], [8.3, 9.2], [12, 21.5]),
  pane('#5a8dff', [8.3, 9.2], [15.7, 9.2], [12, 21.5]),
  pane('#6a3fe0', [15.7, 9.2], [22.5, 9.2], [12, 21.5]),
]

/** The tile behind the mark, for places that give an icon no ground of its own. */
export const markGround = '#101623'

export function drawMark(): string {
  return markPanes
    .map(
      ({ colour, corners }) =>
        `<path fill="${colour}" stroke="${colour}" stroke-width=".12" stroke-linejoin="round" d="${outline(corners)}"/>`,
    )
    .join('')
}

export function drawFavicon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${drawMark()}</svg>\n`
}

function pane(colour: string, ...corners: [number, number][]): Pane {
  return { colour, corners: corners.map(([x, y]) => ({ x, y })) }
}
