import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'

interface LoadFailedProps {
  title: string
  text: string
  retry: { label: string; isBusy: boolean; onClick(): void }
}

/** Something could not be loaded; one press asks for it again. */
export function LoadFailed({ title, text, retry }: LoadFailedProps) {
  return (
    <Alert color="red" role="alert" my="md" icon={<IconCloudOff aria-hidden />} title={title}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{text}</Text>
        <Button variant="default" onClick={retry.onClick} loading={retry.isBusy}>
          {retry.label}
        </Button>
      </Stack>
    </Alert>
  )
}
