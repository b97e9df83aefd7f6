import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAddress } from '../../address.ts'
import { ActivateForm } from '../../features/topups/ActivateForm.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Step } from '../../ui/Step.tsx'

const tabParam = 'tab'

/** Which tab is open stands in the address, and leaves no trace in the history. */
export function useActivationTab() {
  const [params, change] = useAddress()
  return {
    current: params.get(tabParam) === 'activate' ? 'activate' : 'topup',
    open: (wanted: string | null) => change({ [tabParam]: wanted === 'activate' ? wanted : undefined }),
  }
}

interface ActivationTabsProps {
  tab: ReturnType<typeof useActivationTab>
  /** The steps of a top-up. */
  topUp: ReactNode
  accountForm: ReactNode
  playerId: string
  onActivated(): void
}

/** A game is topped up, or a code of it is activated that was bought here. */
export function ActivationTabs({ tab, topUp, accountForm, playerId, onActivated }: ActivationTabsProps) {
  const { t } = useTranslation()
  return (
    <Tabs value={tab.current} onChange={tab.open} keepMounted={false}>
      <Tabs.List grow mb="md">
        <Tabs.Tab value="topup">{t('topups.freefire.topUp')}</Tabs.Tab>
        <Tabs.Tab value="activate">{t('topups.freefire.activate')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="topup">{topUp}</Tabs.Panel>
      <Tabs.Panel value="activate">
        <Step number={1} title={t('topups.whoGetsIt')}>
          {accountForm}
        </Step>
        <Step number={2} title={t('topups.freefire.enterCode')}>
          <ActivateForm playerId={playerId} onActivated={onActivated} />
        </Step>
      </Tabs.Panel>
    </Tabs>
  )
}
