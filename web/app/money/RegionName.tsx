import classes from './RegionName.module.css'
import { isPicture, type NamedRegion } from './region-text.ts'

/** A region with its flag: an emoji, or the address of a picture. The name beside it says what it shows. */
export function RegionName({ region: { name, flag } }: { region: NamedRegion }) {
  if (flag === '') return name
  return (
    <span className={classes.region}>
      {isPicture(flag) ? (
        <img src={flag} alt="" width={20} height={15} className={classes.flag} />
      ) : (
        <span aria-hidden>{flag}</span>
      )}{' '}
      {name}
    </span>
  )
}
