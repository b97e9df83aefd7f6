import classes from './Logo.module.css'

/** The mark: a faceted diamond and the word. */
export const Logo = () => (
  <span className={classes.logo}>
    <img src="/favicon.svg" alt="" width={28} height={28} />
    <span>olmos</span>
  </span>
)
