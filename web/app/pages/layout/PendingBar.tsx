import { useNavigation } from 'react-router'
import classes from './PendingBar.module.css'

/** Says that a page is on its way, once that takes longer than one notices. */
export function PendingBar() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <div className={classes.bar} aria-hidden />
}
