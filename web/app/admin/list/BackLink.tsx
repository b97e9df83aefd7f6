import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

/** From a screen within a tab to the list it belongs to. */
export function BackLink({ to, text }: { to: string; text: string }) {
  return (
    <Button component={Link} to={to} variant="subtle" color="gray" px={8} leftSection={<IconArrowLeft size={18} />}>
      {text}
    </Button>
  )
}
