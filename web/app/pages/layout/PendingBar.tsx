import { useNavigation } from 'react-router'
import classes from './PendingBar.module.css'

/** Says that a page is on its way, once that takes longer than one notices. */
export function PendingBar() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <WaitBar />
}

/** Shows that a press was heard, once its answer takes longer than one notices. */
export const WaitBar = () => <div className={classes.bar} aria-hidden />
