import { Button, Group, List, Stack, Text } from '@mantine/core'
import type { PriceUnderFloor } from '@olmos/contract/offers'
import type { RateJump } from '@olmos/contract/rates'
import { type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { CoveredContext } from '../../ui/covered.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { AskingContext, type Question, type Reply } from './asking.ts'
import { PriceChanges } from './PriceChanges.tsx'
import { ReasonField } from './ReasonField.tsx'

interface Asked {
  /** Counts the questions, so that none has the reason that was typed into the one before. */
  number: number
  question: Question
  answer(reply: Reply): void
}

/** Asks for the store, over whatever is open: one dialog after another for everything that an operator has to confirm. */
export function AskOperator({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  // Not in the state: several calls may be asked about before the page is rendered again.
  const waiting = useRef<Asked[]>([])
  const count = useRef(0)
  const ask = useCallback(
    (question: Question) =>
      new Promise<Reply>((resolve) => {
        const one: Asked = {
          number: ++count.current,
          question,
          answer: (reply) => {
            waiting.current = waiting.current.filter((each) => each !== one)
            setAsked(waiting.current[0])
            resolve(reply)
          },
        }
        waiting.current.push(one)
        setAsked(waiting.current[0])
      }),
    [],
  )
  useEffect(
    () => () => {
      // Nobody is left to answer them.
      for (const { answer } of waiting.current) answer(false)
    },
    [],
  )
  const asking = useMemo(() => ({ ask }), [ask])
  const isCovered = useContext(CoveredContext)
  return (
    <AskingContext value={asking}>
      <CoveredContext value={isCovered || asked !== undefined}>{children}</CoveredContext>
      {asked && <QuestionDialog key={asked.number} {...asked} />}
    </AskingContext>
  )
}

const texts = {
  prices: { title: 'admin.ask.priceTitle', yes: 'admin.ask.setPrice' },
  rate: { title: 'admin.ask.rateTitle', yes: 'admin.ask.setRate' },
  floor: { title: 'admin.ask.floorTitle', yes: 'admin.ask.sellUnder' },
} as const

function QuestionDialog({ question, answer }: Asked) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const { title, yes } = texts[question.about]
  const isReasoned = question.about === 'floor'
  return (
    <Dialog isOpen onClose={() => answer(false)} title={t(title)} closeLabel={t('admin.form.cancel')}>
      <Stack>
        {question.about === 'rate' && <JumpText {...question.jump} />}
        {question.about === 'prices' && <PriceChanges changes={question.prices} />}
        {question.about === 'floor' && (
          <>
            <FloorText prices={question.prices} />
            <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => answer(false)}>
            {t('admin.form.cancel')}
          </Button>
          <Button
            disabled={isReasoned && reason.trim() === ''}
            onClick={() => answer(isReasoned ? reason.trim() : true)}
          >
            {t(yes)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function FloorText({ prices }: { prices: readonly PriceUnderFloor[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <>
      <Text>{t('admin.ask.floorText')}</Text>
      <List size="sm" spacing="xs" listStyleType="none">
        {prices.map((price) => (
          <List.Item key={price.game_amount}>
            <b>{gameNumber(price.game_amount)}</b>: <Amount value={price.price_usd} currency="USD" /> /{' '}
            <Amount value={price.price_rub} currency="RUB" />,{' '}
            {t('admin.ask.floorOf', {
              usd: formatAmount(price.floor_usd, 'USD', language),
              rub: formatAmount(price.floor_rub, 'RUB', language),
            })}
          </List.Item>
        ))}
      </List>
    </>
  )
}

function JumpText({ was, rate, max_jump_percent: max }: RateJump) {
  const { t } = useTranslation()
  const jump = ((rate / was - 1) * 100).toFixed(1)
  return (
    <>
      <Text fz="lg">
        {was} → <b>{rate}</b>
      </Text>
      <Text>{t('admin.ask.rateJump', { jump, max })}</Text>
    </>
  )
}
