import { Flex, List, Stack, Text, Title } from '@mantine/core'
import type { LedgerProof } from '@olmos/contract/operations'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Surface } from '../../ui/Surface.tsx'

type Invariant = LedgerProof['invariants'][number]

/** What is always true, and whether it was at the last look. */
export function Invariants({ invariants }: { invariants: Invariant[] }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="invariants">
      <Title order={2} size="h4" id="invariants" mb="sm">
        {t('admin.ledger.invariants')}
      </Title>
      <Surface>
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {invariants.map((invariant) => (
            <Flex
              key={invariant.number}
              component="li"
              direction={{ base: 'column', sm: 'row' }}
              justify="space-between"
              align="flex-start"
              gap="xs"
            >
              <div>
                <Text size="sm">
                  {invariant.number}. {t(`admin.ledger.rule.${invariant.name}`)}
                </Text>
                {invariant.sample.length > 0 && (
                  <List size="sm">
                    {invariant.sample.map((offender) => (
                      <List.Item key={offender}>{offender}</List.Item>
                    ))}
                  </List>
                )}
              </div>
              <Verdict invariant={invariant} />
            </Flex>
          ))}
        </Stack>
      </Surface>
    </section>
  )
}

function Verdict({ invariant: { offenders } }: { invariant: Invariant }) {
  const { t } = useTranslation()
  if (offenders === null) return <StatusBadge tone="wait" text={t('admin.ledger.notYet')} />
  if (offenders === 0) return <StatusBadge tone="good" text={t('admin.ledger.holds')} />
  return <StatusBadge tone="bad" text={t('admin.ledger.offenders', { count: offenders })} />
}
