import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DecisionName } from './deliveries.queries.ts'
import { decisionTexts } from './delivery-texts.ts'

const names = Object.keys(decisionTexts) as DecisionName[]

export function DecisionButtons({ onChoose }: { onChoose(decision: DecisionName): void }) {
  const { t } = useTranslation()
  return names.map((name) => (
    <Button key={name} size="xs" variant="default" onClick={() => onChoose(name)}>
      {t(decisionTexts[name].label)}
    </Button>
  ))
}
