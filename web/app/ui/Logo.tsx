import { Group, Text } from '@mantine/core'

/** The mark: a faceted diamond and the word. */
export function Logo() {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <Text component="span" fw={800} size="xl" c="var(--mantine-color-text)" lts="-0.02em">
        olmos
      </Text>
    </Group>
  )
}
