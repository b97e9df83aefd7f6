import { Skeleton } from '@mantine/core'
import { ThumbFrame } from '../../ui/ThumbFrame.tsx'

/** The order and the way to pay, on their way. */
export function CheckoutSkeleton() {
  return (
    <div aria-hidden>
      <ThumbFrame panel={<PayPanelSkeleton />}>
        <Skeleton h={136} />
      </ThumbFrame>
    </div>
  )
}

/** As high as the panel is with two ways to pay past the balance, so that what stands below it stays where it is. */
export const PayPanelSkeleton = () => <Skeleton h={556} aria-hidden />
