import { Grid, Skeleton } from '@mantine/core'

/** The order and the way to pay, on their way. */
export function CheckoutSkeleton() {
  return (
    <Grid gap="lg" aria-hidden>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Skeleton h={180} radius="lg" />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Skeleton h={420} radius="lg" />
      </Grid.Col>
    </Grid>
  )
}
