import type { ReactNode } from 'react'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { RequireLogin } from '../session/RequireLogin.tsx'
import { Page } from '../ui/Page.tsx'

interface CustomerPageProps {
  title: string
  /** False where the content has a heading of its own. */
  hasHeading?: boolean
  /** Shown until it is known who is logged in. */
  skeleton: ReactNode
  children: ReactNode
}

/** A page behind the login. */
export const CustomerPage = ({ title, hasHeading = true, skeleton, children }: CustomerPageProps) => (
  <Page {...(hasHeading && { title })} isTall>
    <PrivateTitle title={title} />
    <RequireLogin whileUnknown={skeleton}>{children}</RequireLogin>
  </Page>
)
