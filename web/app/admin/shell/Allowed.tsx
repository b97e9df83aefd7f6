import type { Permission } from '@olmos/contract/permissions'
import type { ReactNode } from 'react'
import { useMay } from '../../session/profile.ts'

/** Shows its children to those whose role allows what they are for. */
export function Allowed({ to, children }: { to: Permission; children: ReactNode }) {
  return useMay()(to) ? children : null
}
