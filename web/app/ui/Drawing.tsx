import classes from './Drawing.module.css'

/** The stone from the side: its crown, then its pavilion. */
const facets = [
  'M22 10 2 36H30Z',
  'M22 10H50L30 36Z',
  'M50 10 70 36H30Z',
  'M50 10H78L70 36Z',
  'M78 10 98 36H70Z',
  'M2 36H30L50 92Z',
  'M30 36H70L50 92Z',
  'M70 36H98L50 92Z',
]
const outline = 'M22 10H78L98 36 50 92 2 36Z'

interface DrawingProps {
  of: 'empty' | 'failed' | 'waiting'
  /** Where it stands for a page. */
  isLarge?: boolean
}

/**
 * The three drawings of the shop: an unlit gem where there is nothing, a split one where something failed, a half-filled one
 * where one waits. What they mean stands beside them in words.
 */
export function Drawing({ of, isLarge = false }: DrawingProps) {
  return (
    <svg
      viewBox="-4 2 108 98"
      width={96}
      height={88}
      aria-hidden
      className={classes.drawing}
      data-of={of}
      data-large={isLarge || undefined}
    >
      {of === 'waiting' && <path d="M2 36H98L50 92Z" className={classes.filled} />}
      {of === 'failed' ? (
        <>
          <g transform="translate(-4 2)rotate(-6 30 50)">
            <path d="M22 10H54L44 34 56 48 44 66 50 92 2 36Z" />
            <path d="M22 10 30 36H2M30 36 44 34M30 36 46 80" />
          </g>
          <g transform="translate(4 -1)rotate(5 70 50)">
            <path d="M54 10H78L98 36 50 92 44 66 56 48 44 34Z" />
            <path d="M78 10 70 36H98M70 36 52 40M70 36 54 80" />
          </g>
        </>
      ) : (
        <>
          {facets.map((path) => (
            <path key={path} d={path} />
          ))}
          <path d={outline} />
        </>
      )}
    </svg>
  )
}
