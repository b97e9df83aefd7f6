import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { type Retry, RetryMessage } from './RetryMessage.tsx'

interface LoadFailedProps {
  title: string
  text?: string
  /** A banner of its own, a line in a card, or a message in the place of a whole section. */
  look?: 'banner' | 'line' | 'section'
  retry: Retry
}

/** Says that something could not be loaded; one press retries. */
export function LoadFailed({ title, text, look = 'banner', retry }: LoadFailedProps) {
  if (look === 'section') return <RetryMessage level={3} title={title} {...(text && { text })} retry={retry} />
  const button = (
    <Button variant="default" onClick={retry.onClick} loading={retry.isBusy}>
      {retry.label}
    </Button>
  )
  if (look === 'line') {
    return (
      <Stack align="flex-start" role="alert">
        <Text>{title}</Text>
        {button}
      </Stack>
    )
  }
  return (
    <Alert color="red" role="alert" my="md" icon={<IconCloudOff aria-hidden />} title={title}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{text}</Text>
        {button}
      </Stack>
    </Alert>
  )
}
