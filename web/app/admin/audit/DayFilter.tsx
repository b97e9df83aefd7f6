import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListView } from '../list/use-list-view.ts'

/** The moment a day of this browser's clock begins, or the next one does. */
const toStart = (day: string, daysLater = 0): string => {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}

const toDay = (moment: string, daysEarlier = 0): string => {
  if (moment === '') return ''
  const day = new Date(moment)
  day.setDate(day.getDate() - daysEarlier)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** From one day to another, both included. */
export function DayFilter({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const field = (name: 'from' | 'to', daysLater: number) => (
    <TextInput
      type="date"
      label={t(name === 'from' ? 'admin.audit.from' : 'admin.audit.to')}
      flex={{ base: '1 1 40%', sm: '0 0 auto' }}
      value={toDay(view.filter(name), daysLater)}
      onChange={({ currentTarget: { value } }) => view.change({ [name]: value && toStart(value, daysLater) })}
    />
  )
  return (
    <>
      {field('from', 0)}
      {field('to', 1)}
    </>
  )
}
