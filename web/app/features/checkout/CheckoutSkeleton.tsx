import { Grid, Skeleton } from '@mantine/core'

/** The order and the way to pay, on their way. */
export function CheckoutSkeleton() {
  return (
    <Grid gap="lg" aria-hidden>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Skeleton h={180} radius="lg" />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <PayPanelSkeleton />
      </Grid.Col>
    </Grid>
  )
}

/** As high as the panel is with two ways to pay past the balance, so that what stands below it stays where it is. */
export const PayPanelSkeleton = () => <Skeleton h={690} radius="lg" aria-hidden />
