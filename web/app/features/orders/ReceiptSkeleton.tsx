import { Skeleton, Stack } from '@mantine/core'

/** A receipt that is on its way. */
export function ReceiptSkeleton() {
  return (
    <Stack aria-hidden>
      <Skeleton h={104} radius="lg" />
      <Skeleton h={36} w={220} />
      <Skeleton h={280} radius="lg" />
    </Stack>
  )
}
