import { Skeleton } from '@mantine/core'
import { Surface } from '../../ui/Surface.tsx'
import { ThumbFrame } from '../../ui/ThumbFrame.tsx'
import classes from './Checkout.module.css'

/** The order and the way to pay, on their way. */
export function CheckoutSkeleton() {
  return (
    <div aria-hidden>
      <ThumbFrame panel={<PayPanelSkeleton />} bar={<PayBarSkeleton />}>
        <div>
          <Skeleton h={20} w={120} mt={4} mb={14} radius={0} />
          <div className={classes.line}>
            <Skeleton w={64} h={48} radius={0} className={classes.fixed} />
            <div className={classes.shapes}>
              <Skeleton h={16} w="60%" radius={0} />
              <Skeleton h={14} w="40%" radius={0} />
            </div>
            <Skeleton h={18} w={64} radius={0} className={classes.fixed} />
          </div>
        </div>
      </ThumbFrame>
    </div>
  )
}

/** As high as the panel is with one way to pay beside the balance, so that what stands below it stays where it is. */
export const PayPanelSkeleton = () => (
  <Surface radius={0} bd={0}>
    <div className={classes.shapes} aria-hidden>
      <Skeleton h={20} w={90} radius={0} />
      <Skeleton h={14} w={130} mt={12} radius={0} />
      <div className={classes.currencies}>
        <Skeleton h={78} radius={0} />
        <Skeleton h={78} radius={0} />
      </div>
      <Skeleton h={44} mt={6} radius={0} />
      <Skeleton h={14} w={80} radius={0} />
      <div className={classes.ends}>
        <Skeleton h={18} w={60} radius={0} />
        <Skeleton h={24} w={110} radius={0} />
      </div>
    </div>
  </Surface>
)

/** What the button will stand in. */
export const PayBarSkeleton = () => (
  <div aria-hidden>
    <p className={classes.promise} />
    <Skeleton h={44} radius={0} />
  </div>
)
