import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Loaded } from '../list/ListFailed.tsx'
import { FillingForm } from './FillingForm.tsx'
import { MethodList } from './MethodList.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { useFillingSettings, useShopMethods, useShopProviders } from './payment-methods.queries.ts'

/** How customers pay: the methods in their order, and the shop's accounts at the providers that take the money. */
export default function PaymentMethodsTab() {
  const { t } = useTranslation()
  const methods = useShopMethods()
  const fillings = useFillingSettings()
  const providers = useShopProviders()
  return (
    <Stack gap="xl">
      <section aria-labelledby="payment-methods">
        <Title order={2} size="h3" id="payment-methods" mb={4}>
          {t('admin.payMethods.methods')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('admin.payMethods.methodsHint')}
        </Text>
        <Loaded query={methods} height={160} empty={<Text c="dimmed">{t('admin.payMethods.noMethods')}</Text>}>
          {(shown) => <MethodList methods={shown} />}
        </Loaded>
      </section>
      <section aria-labelledby="filling-settings">
        <Title order={2} size="h3" id="filling-settings" mb={4}>
          {t('admin.fillings.settings')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('admin.fillings.settingsHint')}
        </Text>
        <Loaded query={fillings} height={240}>
          {(settings) => <FillingForm settings={settings} />}
        </Loaded>
      </section>
      <section aria-labelledby="payment-providers">
        <Title order={2} size="h3" id="payment-providers" mb={4}>
          {t('admin.payMethods.providers')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('admin.payMethods.providersHint')}
        </Text>
        <Loaded query={providers} height={320}>
          {(shown) => (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {shown.map((provider) => (
                <ProviderCard key={provider.name} provider={provider} />
              ))}
            </SimpleGrid>
          )}
        </Loaded>
      </section>
    </Stack>
  )
}
