import type { Receipt, StepName } from '@olmos/contract/orders'

type Item = Receipt['items'][number]

export interface ShownStep {
  name: StepName
  /** None of what is still to come. */
  at: string | undefined
  look: 'done' | 'now' | 'doubt' | 'returned' | 'ahead'
}

const usual: readonly StepName[] = ['paid', 'sent', 'delivered']
const looks: Record<StepName, ShownStep['look']> = {
  paid: 'done',
  sent: 'done',
  delivered: 'done',
  unknown: 'doubt',
  refunded: 'returned',
}

const isOver = ({ status }: Item) => status === 'delivered' || status === 'refunded' || status === 'expired'

/** What has happened to a top-up, and what is still to come; the first of that is what is being done now. */
export function toSteps(item: Item): ShownStep[] {
  const done = item.steps.map(({ name, at }) => ({ name, at, look: looks[name] }))
  if (isOver(item)) return done
  const ahead = usual.filter((name) => !item.steps.some((step) => step.name === name))
  const first = item.status === 'unknown' ? undefined : ahead[0]
  return [...done, ...ahead.map((name) => ({ name, at: undefined, look: name === first ? 'now' : 'ahead' }) as const)]
}

/** When a paid top-up that is not over was paid. */
export const awaitedSince = (item: Item): string | undefined =>
  isOver(item) ? undefined : item.steps.find(({ name }) => name === 'paid')?.at
