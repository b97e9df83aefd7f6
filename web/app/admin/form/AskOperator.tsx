import { Button, Group, Stack, Text } from '@mantine/core'
import type { RateJump } from '@olmos/contract/rates'
import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CoveredContext } from '../../ui/covered.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { AskingContext, type Question } from './asking.ts'
import { PriceChanges } from './PriceChanges.tsx'

interface Asked {
  question: Question
  answer(isWanted: boolean): void
}

/** Asks for the store, over whatever is open: one dialog for everything that an operator has to confirm. */
export function AskOperator({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        const answer = (isWanted: boolean) => {
          setAsked(undefined)
          resolve(isWanted)
        }
        setAsked({ question, answer })
      }),
    [],
  )
  const asking = useMemo(() => ({ ask }), [ask])
  const isCovered = useContext(CoveredContext)
  return (
    <AskingContext value={asking}>
      <CoveredContext value={isCovered || asked !== undefined}>{children}</CoveredContext>
      {asked && <QuestionDialog {...asked} />}
    </AskingContext>
  )
}

function QuestionDialog({ question, answer }: Asked) {
  const { t } = useTranslation()
  const isAboutRate = question.about === 'rate'
  return (
    <Dialog
      isOpen
      onClose={() => answer(false)}
      title={t(isAboutRate ? 'admin.ask.rateTitle' : 'admin.ask.priceTitle')}
      closeLabel={t('admin.form.cancel')}
    >
      <Stack>
        {question.about === 'rate' ? <JumpText {...question.jump} /> : <PriceChanges changes={question.prices} />}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => answer(false)}>
            {t('admin.form.cancel')}
          </Button>
          <Button onClick={() => answer(true)}>{t(isAboutRate ? 'admin.ask.setRate' : 'admin.ask.setPrice')}</Button>
        </Group>
      </Stack>
    </Dialog>
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
