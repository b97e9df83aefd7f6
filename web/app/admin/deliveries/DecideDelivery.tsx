import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { Delivery } from '@olmos/contract/deliveries'
import * as LIMITS from '@olmos/contract/limits'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { useMay } from '../../session/profile.ts'
import { useCostCurrencies } from '../batches/batches.queries.ts'
import { toDecimal } from '../batches/bought-values.ts'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { type DecisionName, decisions } from './deliveries.queries.ts'

const names = Object.keys(decisions) as DecisionName[]

/** A button for each thing that the caller may decide. */
export function DecisionButtons({ onChoose }: { onChoose(decision: DecisionName): void }) {
  const { t } = useTranslation()
  const may = useMay()
  return names
    .filter((name) => may(name === 'refund' ? 'orders.refund' : 'orders.write'))
    .map((name) => (
      <Button key={name} size="xs" variant="default" onClick={() => onChoose(name)}>
        {t(`admin.deliveries.${name}.label`)}
      </Button>
    ))
}

interface DecideDeliveryProps {
  delivery: Delivery
  decision: DecisionName
  onClose(): void
}

/** Lets an operator decide about a delivery that cannot proceed by itself. */
export function DecideDelivery({ delivery, decision, onClose }: DecideDeliveryProps) {
  const { t } = useTranslation()
  const [reference, setReference] = useState('')
  const [code, setCode] = useState('')
  const [cost, setCost] = useState<number | string>('')
  const [currency, setCurrency] = useState('USD')
  const currencies = useCostCurrencies()
  const isCodeAsked = decision === 'complete' && delivery.service === 'code'
  return (
    <ReasonDialog
      title={t(`admin.deliveries.${decision}.title`)}
      text={t(`admin.deliveries.${decision}.text`, { item: delivery.item, account: delivery.account })}
      confirmLabel={t(`admin.deliveries.${decision}.label`)}
      {...(decision === 'refund' && { color: 'red' })}
      isIncomplete={isCodeAsked && code.trim() === ''}
      noun="deliveries"
      send={(reason) =>
        decisions[decision](delivery, {
          reason,
          reference: reference.trim(),
          ...(isCodeAsked && { code: code.trim() }),
          ...(decision === 'complete' && cost !== '' && { cost: { amount: toDecimal(cost), currency } }),
        })
      }
      done={t(`admin.deliveries.${decision}.done`)}
      onClose={onClose}
    >
      {isCodeAsked && (
        <Textarea
          autosize
          maxRows={6}
          label={t('admin.deliveries.code')}
          description={t('admin.deliveries.codeHint')}
          required
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          maxLength={LIMITS.codeLengthMax}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {decision === 'complete' && (
        <>
          <TextInput
            label={t('admin.deliveries.reference')}
            description={t('admin.deliveries.referenceHint')}
            maxLength={200}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          <Group align="flex-end" gap="sm" wrap="nowrap">
            <DecimalInput
              flex={1}
              label={t('admin.batches.cost')}
              description={t('admin.batches.costHint')}
              decimalScale={8}
              value={cost}
              onChange={setCost}
            />
            <NativeSelect
              w={110}
              label={t('admin.batches.currency')}
              data={currencies}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value)}
            />
          </Group>
        </>
      )}
    </ReasonDialog>
  )
}
