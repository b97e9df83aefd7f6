import { Box, Group, Skeleton, Stack } from '@mantine/core'
import { Surface } from '../../ui/Surface.tsx'

/** Lines of the cart that are on their way. */
export function CartSkeleton() {
  return (
    <Stack gap="sm" aria-hidden>
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
