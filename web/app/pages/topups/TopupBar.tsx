import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import frame from '../product/ProductFrame.module.css'

interface TopupBarProps {
  total: ReactNode
  label: string
  isBusy?: boolean
  isDisabled?: boolean
  /** What is still to be done; why the button can't be pressed. */
  missing: string | undefined
  onPress(): void
}

/** The total and the button. */
export function TopupBar({ total, label, isBusy = false, isDisabled = false, missing, onPress }: TopupBarProps) {
  const { t } = useTranslation()
  return (
    <>
      <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap" mb="xs" aria-live="polite">
        <Text c="dimmed" size="sm">
          {t('checkout.total')}
        </Text>
        {total}
      </Group>
      <Button size="md" fullWidth className={frame.action} loading={isBusy} disabled={isDisabled} onClick={onPress}>
        {label}
      </Button>
      {missing && (
        <Text size="sm" c="dimmed" mt={6} ta="center">
          {missing}
        </Text>
      )}
    </>
  )
}
