import { Skeleton, Text } from '@mantine/core'
import { useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { QueryView } from '../api/QueryView.tsx'
import { SandboxBank } from '../features/payments/SandboxBank.tsx'
import { useSandboxPayment } from '../features/payments/sandbox.queries.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Page } from '../ui/Page.tsx'
import { PrivateTitle } from '../ui/PrivateTitle.tsx'
import { NotFound } from './NotFound.tsx'

/** The pay page of the provider that takes no real money. */
export default function SandboxPay() {
  const { t } = useTranslation()
  const query = useSandboxPayment(useParams().id ?? '')
  const { error } = query

  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFound />
  return (
    <Page title={t('sandbox.title')} width="narrow">
      <PrivateTitle title={t('sandbox.title')} />
      <Text c="dimmed" mb="md">
        {t('sandbox.text')}
      </Text>
      <QueryView query={query} skeleton={<Skeleton h={420} radius="lg" />} failed={t('sandbox.failed')}>
        {(payment) => <SandboxBank payment={payment} />}
      </QueryView>
    </Page>
  )
}
