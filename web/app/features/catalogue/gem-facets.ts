interface Facet {
  /** The outline as the path of an SVG, in a circle of 100 around nothing. */
  path: string
  /** How much light it takes, from -1, turned away, to 1. */
  tone: number
}

const sides = 8
const tableRadius = 42
const waistRadius = 68
const girdleRadius = 100
/** Light falls from the upper left. */
const lightAngle = (-120 / 180) * Math.PI

type Point = readonly [x: number, y: number]

/** A point at so many steps around, of which there are two to a side. */
const at = (radius: number, step: number): Point => {
  const angle = (step / (2 * sides)) * 2 * Math.PI - Math.PI / 2
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}

function toFacet(step: number, points: readonly Point[]): Facet {
  const angle = (step / (2 * sides)) * 2 * Math.PI - Math.PI / 2
  const path = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  return { path: `M${path}Z`, tone: Math.cos(angle - lightAngle) }
}

/** The facets of a brilliant seen from above, the large ones first. */
export const gemFacets: readonly Facet[] = [0, 1, 2].flatMap((ring) =>
  Array.from({ length: sides }, (_, side) => side * 2).flatMap((step) => {
    const kite = [at(tableRadius, step), at(waistRadius, step + 1), at(girdleRadius, step), at(waistRadius, step - 1)]
    if (ring === 0) return toFacet(step, kite)
    const waist = at(waistRadius, step + 1)
    if (ring === 1) return toFacet(step + 1, [at(tableRadius, step), at(tableRadius, step + 2), waist])
    return [
      toFacet(step + 0.7, [waist, at(girdleRadius, step), at(girdleRadius, step + 1)]),
      toFacet(step + 1.3, [waist, at(girdleRadius, step + 1), at(girdleRadius, step + 2)]),
    ]
  }),
)

/** The flat top in the middle. */
export const gemTable: string = toFacet(
  0,
  Array.from({ length: sides }, (_, side) => at(tableRadius, side * 2)),
).path
