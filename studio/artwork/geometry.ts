export interface Point {
  x: number
  y: number
}

export function short(n: number, digits = 1): string {
  const text = n.toFixed(digits)
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return trimmed === '-0' ? '0' : trimmed.replace(/^(-?)0\./, '$1.')
}

/** A closed outline, in relative steps because they are shorter to store. */
export function outline(points: readonly Point[]): string {
  let at = { x: 0, y: 0 }
  const steps = points.map((p, i) => {
    const to = { x: Math.round(p.x * 10) / 10, y: Math.round(p.y * 10) / 10 }
    const step = pair(to.x - at.x, to.y - at.y)
    at = to
    return `${i === 0 ? 'M' : i === 1 ? 'l' : ' '}${step}`
  })
  return `${steps.join('')}z`.replaceAll(' -', '-')
}

function pair(x: number, y: number): string {
  const second = short(y)
  return `${short(x)}${second.startsWith('-') ? '' : ' '}${second}`
}
