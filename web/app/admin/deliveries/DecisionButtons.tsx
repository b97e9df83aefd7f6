import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type DecisionName, decisions } from './deliveries.queries.ts'

const names = Object.keys(decisions) as DecisionName[]

export function DecisionButtons({ onChoose }: { onChoose(decision: DecisionName): void }) {
  const { t } = useTranslation()
  return names.map((name) => (
    <Button key={name} size="xs" variant="default" onClick={() => onChoose(name)}>
      {t(`admin.deliveries.${name}.label`)}
    </Button>
  ))
}
