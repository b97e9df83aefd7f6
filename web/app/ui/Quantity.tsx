import { ActionIcon, Group, Text } from '@mantine/core'
import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react'

interface QuantityProps {
  value: number
  min: number
  max: number
  onChange(value: number): void
  /** With a label for removing, minus removes the thing when one is left. */
  labels: { group: string; less: string; more: string; remove?: string }
}

/** A number with a button to either side. */
export function Quantity({ value, min, max, onChange, labels }: QuantityProps) {
  const removal = value <= 1 ? labels.remove : undefined
  return (
    <Group gap="xs" role="group" aria-label={labels.group} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={removal ?? labels.less}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        {removal ? <IconTrash size={16} /> : <IconMinus size={16} />}
      </ActionIcon>
      <Text fw={700} miw={28} ta="center" aria-live="polite">
        {value}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={labels.more}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <IconPlus size={16} />
      </ActionIcon>
    </Group>
  )
}
