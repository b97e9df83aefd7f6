import classes from './Stars.module.css'

const star = 'M12 1.8l3.1 6.6 7.2.9-5.3 5 1.4 7.1L12 17.9l-6.4 3.5L7 14.3l-5.3-5 7.2-.9z'

/** Stars of which so many are filled. They are drawn for the eye: the words stand beside them. */
export function Stars({ filled, total = 5 }: { filled: number; total?: number }) {
  return (
    <svg className={classes.stars} viewBox={`0 0 ${24 * total} 24`} aria-hidden focusable="false">
      {Array.from({ length: total }, (_, index) => index).map((index) => (
        <path key={index} d={star} transform={`translate(${24 * index})`} data-filled={index < filled || undefined} />
      ))}
    </svg>
  )
}
