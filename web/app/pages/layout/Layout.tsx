import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SecondFactorGate } from '../../features/accounts/SecondFactorGate.tsx'
import { NoticeBoard } from '../../ui/NoticeBoard.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'

/** What every page stands in. */
export function Layout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <a className="skip-link" href="#main">
        {t('header.skip')}
      </a>
      <Header />
      <Box component="main" id="main" tabIndex={-1} style={{ flex: 1, outline: 'none' }}>
        {children}
      </Box>
      <Footer />
      <SecondFactorGate />
      <NoticeBoard closeLabel={t('header.closeNotice')} />
    </Box>
  )
}
