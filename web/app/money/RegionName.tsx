import classes from './RegionName.module.css'
import { isImageFlag, type NamedRegion } from './region-text.ts'

/** Shows a region with its flag, an emoji or an image. The flag has no alternative text: the name stands beside it. */
export function RegionName({ region: { name, flag } }: { region: NamedRegion }) {
  if (flag === '') return name
  return (
    <span className={classes.region}>
      {isImageFlag(flag) ? (
        <img src={flag} alt="" width={20} height={15} className={classes.flag} />
      ) : (
        <span aria-hidden>{flag}</span>
      )}{' '}
      {name}
    </span>
  )
}
