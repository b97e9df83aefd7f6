import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { EmptyState } from './EmptyState.tsx'

interface LoadFailedProps {
  title: string
  text: string
  retry: { label: string; isBusy: boolean; onClick(): void }
}

/** Something could not be loaded; one press asks for it again. */
export function LoadFailed({ title, text, retry }: LoadFailedProps) {
  return (
    <div role="alert">
      <EmptyState icon={IconCloudOff} title={title} text={text}>
        <Button onClick={retry.onClick} loading={retry.isBusy}>
          {retry.label}
        </Button>
      </EmptyState>
    </div>
  )
}
