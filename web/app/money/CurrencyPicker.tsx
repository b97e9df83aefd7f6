import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseCurrency, currencies, currencySigns, useCurrency } from './currency.ts'

export function CurrencyPicker() {
  const { t } = useTranslation()
  const current = useCurrency()
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          aria-label={`${t('header.currency')}: ${current}`}
          rightSection={<IconChevronDown size={14} />}
        >
          {currencySigns[current]} {current}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {currencies.map((currency) => (
          <Menu.Item key={currency} onClick={() => chooseCurrency(currency)}>
            {currencySigns[currency]} {currency}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
