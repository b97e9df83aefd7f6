import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { Message } from './Message.tsx'

interface LoadFailedProps {
  title: string
  text?: string
  /** A banner of its own, a line in a card, or a message in the place of a whole section. */
  look?: 'banner' | 'line' | 'section'
  /** Level of the heading of a section. */
  level?: 2 | 3
  retry: { label: string; isBusy: boolean; onClick(): void }
}

/** Says that something could not be loaded; one press retries. */
export function LoadFailed({ title, text, look = 'banner', level = 3, retry }: LoadFailedProps) {
  const button = (variant: 'default' | 'filled') => (
    <Button variant={variant} onClick={retry.onClick} loading={retry.isBusy}>
      {retry.label}
    </Button>
  )
  if (look === 'section') {
    return (
      <Message level={level} title={title} {...(text && { text })}>
        {button('filled')}
      </Message>
    )
  }
  if (look === 'line') {
    return (
      <Stack align="flex-start" role="alert">
        <Text>{title}</Text>
        {button('default')}
      </Stack>
    )
  }
  return (
    <Alert color="red" role="alert" my="md" icon={<IconCloudOff aria-hidden />} title={title}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{text}</Text>
        {button('default')}
      </Stack>
    </Alert>
  )
}
