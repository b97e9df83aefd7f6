import { Box, Grid, Group, Skeleton, Stack } from '@mantine/core'
import { Surface } from '../../ui/Surface.tsx'

/** The cart and what it comes to, on their way. */
export function CartSkeleton() {
  return (
    <Grid gap="lg" aria-hidden>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Lines />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Skeleton h={200} radius="lg" />
      </Grid.Col>
    </Grid>
  )
}

function Lines() {
  return (
    <Stack gap="sm">
      {[1, 2].map((line) => (
        <Surface key={line} p="sm">
          <Group wrap="nowrap" gap="sm" align="flex-start">
            <Skeleton w={88} h={66} radius="sm" style={{ flexShrink: 0 }} />
            <Box flex={1}>
              <Skeleton h={18} w="70%" mb={10} />
              <Skeleton h={14} w="40%" />
            </Box>
          </Group>
          <Group justify="space-between" mt="sm">
            <Skeleton h={40} w={124} />
            <Skeleton h={20} w={96} />
          </Group>
        </Surface>
      ))}
    </Stack>
  )
}
