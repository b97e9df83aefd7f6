import { MantineProvider } from '@mantine/core'
import type { Permission } from '@olmos/contract/permissions'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { queryKeys } from '../api/query-keys.ts'
import { createI18n } from '../i18n/i18n.ts'
import { ru as storeTexts } from '../i18n/ru.ts'
import { I18nContext } from '../i18n/use-translation.ts'
import { ru } from './i18n/ru.ts'

interface Shown {
  /** What the role of who looks allows. */
  permissions: readonly Permission[]
  /** What every call of the admin area has answered. */
  answer?: object
  /** Where it is shown. */
  address?: string
}

/** Renders a part of the admin area to HTML in Russian, as it looks to somebody at first. */
export function renderForTest(part: ReactNode, { permissions, answer, address = '/' }: Shown): string {
  const client = new QueryClient()
  client.setQueryData(queryKeys.profile, { permissions })
  client.setQueryDefaults(queryKeys.admin.all, { initialData: answer })
  return renderToString(
    <I18nContext value={createI18n('ru', { texts: [ru, storeTexts] })}>
      <QueryClientProvider client={client}>
        <MantineProvider env="test">
          <MemoryRouter initialEntries={[address]}>{part}</MemoryRouter>
        </MantineProvider>
      </QueryClientProvider>
    </I18nContext>,
  )
}
