import { Skeleton } from '@mantine/core'
import classes from './OrderSkeletons.module.css'

/** Stands in for cards of orders that are being loaded; about as many as fit on a phone. */
export function OrdersSkeleton() {
  return (
    <div className={classes.list} aria-hidden>
      {[1, 2, 3, 4].map((card) => (
        <div key={card} className={classes.card}>
          <div className={classes.row}>
            <Skeleton w={76} h={57} radius={0} className={classes.fixed} />
            <div className={classes.lines}>
              <Skeleton h={16} w="70%" radius={0} />
              <Skeleton h={12} w="45%" radius={0} />
              <Skeleton h={12} w="60%" radius={0} />
              <Skeleton h={12} w="50%" radius={0} />
            </div>
          </div>
          <div className={classes.foot}>
            <Skeleton h={24} w={110} radius={0} />
            <Skeleton h={36} w={104} radius={0} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Stands in for an order that is being loaded: its band, its ticket or steps, its facts. */
export function PanelSkeleton() {
  return (
    <div className={`cut ${classes.panel}`} aria-hidden>
      <div className={classes.band}>
        <Skeleton h="100%" radius={0} className={classes.art} />
        <div className={classes.lines}>
          <Skeleton h={14} w="35%" radius={0} />
          <Skeleton h={26} w="75%" radius={0} />
          <Skeleton h={16} w="45%" radius={0} />
        </div>
      </div>
      <div className={classes.body}>
        <div className={classes.main}>
          <Skeleton h={140} radius={0} />
          <Skeleton h={44} w={220} maw="100%" radius={0} />
          <Skeleton h={16} w="90%" radius={0} />
          <Skeleton h={16} w="75%" radius={0} />
        </div>
        <div>
          {[1, 2, 3, 4, 5].map((fact) => (
            <div key={fact} className={`${classes.foot} ${classes.fact}`}>
              <Skeleton h={14} w={80} radius={0} />
              <Skeleton h={14} w={110} radius={0} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
