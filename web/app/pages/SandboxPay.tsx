import { Skeleton, Stack } from '@mantine/core'
import { useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { QueryView } from '../api/QueryView.tsx'
import { SandboxBank } from '../features/payments/SandboxBank.tsx'
import { useSandboxPayment } from '../features/payments/sandbox.queries.ts'
import { PrivateTitle } from '../i18n/PrivateTitle.tsx'
import { useTranslation } from '../i18n/use-translation.ts'
import { Surface } from '../ui/Surface.tsx'
import { FormPage } from './FormPage.tsx'
import { NotFound } from './NotFound.tsx'

/** The pay page of the provider that takes no real money. */
export default function SandboxPay() {
  const { t } = useTranslation()
  const query = useSandboxPayment(useParams().id ?? '')
  const { error } = query

  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFound />
  return (
    <FormPage title={t('sandbox.title')} text={t('sandbox.text')}>
      <PrivateTitle title={t('sandbox.title')} />
      <QueryView query={query} skeleton={<BankSkeleton />} failed={t('sandbox.failed')}>
        {(payment) => <SandboxBank payment={payment} />}
      </QueryView>
    </FormPage>
  )
}

const BankSkeleton = () => (
  <Surface p="lg" h="100%" aria-hidden>
    <Stack>
      <Skeleton h={20} w="45%" radius={0} />
      <Skeleton h={40} w="60%" radius={0} />
      <Skeleton h={44} radius={0} />
      <Skeleton h={36} radius={0} />
      <Skeleton h={160} radius={0} />
    </Stack>
  </Surface>
)
