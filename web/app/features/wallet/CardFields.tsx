import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asCardNumber, asExpiry, onlyDigits } from './card-input.ts'

const cardTypes = ['Visa', 'Mastercard', 'MIR'] as const

/** The fields of a card. Nothing typed here is sent or stored. */
export function CardFields() {
  const { t } = useTranslation()
  const [number, setNumber] = useState('')
  const [expiry, setExpiry] = useState('')
  const [cvv, setCvv] = useState('')
  const [type, setType] = useState<string>(cardTypes[0])

  return (
    <Stack gap="sm">
      <Radio.Group label={t('topUp.cardType')} value={type} onChange={setType}>
        <Group mt={6}>
          {cardTypes.map((one) => (
            <Radio key={one} value={one} label={one} />
          ))}
        </Group>
      </Radio.Group>
      <TextInput
        label={t('topUp.cardNumber')}
        inputMode="numeric"
        autoComplete="off"
        placeholder="0000 0000 0000 0000"
        value={number}
        onChange={(event) => setNumber(asCardNumber(event.currentTarget.value))}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('topUp.expiry')}
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('topUp.expiryHint')}
          value={expiry}
          onChange={(event) => setExpiry(asExpiry(event.currentTarget.value))}
        />
        <TextInput
          label="CVV"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          value={cvv}
          onChange={(event) => setCvv(onlyDigits(event.currentTarget.value).slice(0, 3))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t('topUp.cardNote')}
      </Text>
    </Stack>
  )
}
