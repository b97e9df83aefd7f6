import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

/** The order a code went to, and whose it is. */
export function SoldTo({ orderId, nickname }: { orderId: string; nickname: string | null }) {
  return (
    <Text size="xs" c="dimmed">
      <Anchor component={Link} size="xs" underline="always" to={`${paths.admin('orders')}?order=${orderId}`}>
        {orderId}
      </Anchor>{' '}
      {nickname}
    </Text>
  )
}
