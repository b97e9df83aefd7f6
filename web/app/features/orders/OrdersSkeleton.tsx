import { Box, Group, SimpleGrid, Skeleton } from '@mantine/core'
import { Surface } from '../../ui/Surface.tsx'

/** Stands in for orders that are being loaded; about as many as fit on a phone. */
export function OrdersSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" aria-hidden>
      {[1, 2, 3, 4].map((card) => (
        <Surface key={card}>
          <Group wrap="nowrap" gap="sm" align="flex-start">
            <Skeleton w={72} h={54} radius="sm" style={{ flexShrink: 0 }} />
            <Box flex={1}>
              <Skeleton h={18} w="60%" mb={10} />
              <Skeleton h={14} w="50%" mb={8} />
              <Skeleton h={14} w="40%" />
            </Box>
          </Group>
          <Group justify="space-between" mt="sm">
            <Skeleton h={26} w={110} radius="xl" />
            <Skeleton h={20} w={90} />
          </Group>
        </Surface>
      ))}
    </SimpleGrid>
  )
}
