import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { Section } from '../list/Section.tsx'
import { Versions } from '../shop/Versions.tsx'
import { FillingForm } from './FillingForm.tsx'
import { MethodList } from './MethodList.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { orderHistory, useFillingSettings, useShopMethods, useShopProviders } from './payment-methods.queries.ts'

/** How customers pay: the methods in their order, and the shop's accounts at the providers that take the money. */
export default function PaymentMethodsTab() {
  const { t } = useTranslation()
  const methods = useShopMethods()
  const fillings = useFillingSettings()
  const providers = useShopProviders()
  return (
    <Stack gap="xl">
      <Section id="payment-methods" title={t('admin.payMethods.methods')} hint={t('admin.payMethods.methodsHint')}>
        <Loaded query={methods} height={160} empty={<Text c="dimmed">{t('admin.payMethods.noMethods')}</Text>}>
          {(shown) => (
            <Stack>
              <MethodList methods={shown} />
              <Group justify="space-between">
                <Text size="sm" c="dimmed" flex="1 1 260px">
                  {t('admin.payMethods.orderHistoryText')}
                </Text>
                <Versions history={orderHistory} />
              </Group>
            </Stack>
          )}
        </Loaded>
      </Section>
      <Section id="filling-settings" title={t('admin.fillings.settings')} hint={t('admin.fillings.settingsHint')}>
        <Loaded query={fillings} height={240}>
          {(settings) => <FillingForm settings={settings} />}
        </Loaded>
      </Section>
      <Section
        id="payment-providers"
        title={t('admin.payMethods.providers')}
        hint={t('admin.payMethods.providersHint')}
      >
        <Loaded query={providers} height={320}>
          {(shown) => (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {shown.map((provider) => (
                <ProviderCard key={provider.name} provider={provider} />
              ))}
            </SimpleGrid>
          )}
        </Loaded>
      </Section>
    </Stack>
  )
}
