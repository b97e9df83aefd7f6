import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import type { StaffMember, StaffRole } from '@olmos/contract/staff'
import { useState } from 'react'
import { SessionEntry } from '../../features/accounts/SessionEntry.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useProfile } from '../../session/profile.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { SideView } from '../list/SideView.tsx'
import { toCurrent } from '../list/use-admin-change.ts'
import { Allowed } from '../shell/Allowed.tsx'
import { endSessions, resetSecondFactor, setRoleOfStaff, useSessionsOfStaff } from './staff.queries.ts'
import { useRoleTitle } from './use-role-title.ts'

interface MemberViewProps {
  member: StaffMember
  roles: readonly StaffRole[]
  onClose(): void
}

/** One colleague: the role, the sessions, and the way back for who has lost the second factor. */
export function MemberView({ member, roles, onClose }: MemberViewProps) {
  const { t } = useTranslation()
  const isSelf = useProfile().data?.id === member.id
  return (
    <SideView title={member.nickname} onClose={onClose}>
      {isSelf ? (
        <Text>{t('admin.refused.own_account')}</Text>
      ) : (
        <Stack gap="xl">
          <Role member={member} roles={roles} onLeft={onClose} />
          <Sessions member={member} />
          {member.has_second_factor && (
            <Allowed to="staff.second_factor">
              <SecondFactor member={member} />
            </Allowed>
          )}
        </Stack>
      )}
    </SideView>
  )
}

function Role({ member, roles, onLeft }: Omit<MemberViewProps, 'onClose'> & { onLeft(): void }) {
  const { t } = useTranslation()
  const toTitle = useRoleTitle()
  const current = member.staff_role.id
  // Undefined while nothing is chosen: the field follows what a colleague gives meanwhile. What was there then was seen.
  const [chosen, setChosen] = useState<{ id: number; seen: number }>()
  if (chosen?.id === current) setChosen(undefined)
  const [isLeaving, setLeaving] = useState(false)
  const give = useAdminAction({
    noun: 'staff',
    send: async ({ id, seen }: { id: number; seen: number }) => {
      try {
        return await setRoleOfStaff(member, id, seen)
      } catch (error) {
        if (toCurrent(error)) setChosen(undefined)
        throw error
      }
    },
    done: t('admin.staff.roleGiven'),
  })
  return (
    <Stack component="section" aria-label={t('admin.staff.role')} gap="sm">
      <NativeSelect
        label={t('admin.staff.role')}
        data={roles.map((role) => ({ value: String(role.id), label: toTitle(role) }))}
        value={String(chosen?.id ?? current)}
        onChange={(event) => setChosen({ id: Number(event.currentTarget.value), seen: current })}
      />
      <RefusalAlert text={give.refusal} />
      <Group>
        <Button disabled={chosen === undefined} loading={give.isPending} onClick={() => chosen && give.mutate(chosen)}>
          {t('admin.form.save')}
        </Button>
        <Button variant="outline" color="red" onClick={() => setLeaving(true)}>
          {t('admin.staff.leave')}
        </Button>
      </Group>
      {isLeaving && (
        <ActionDialog
          title={t('admin.staff.leaveTitle', { name: member.nickname })}
          confirmLabel={t('admin.staff.leave')}
          noun="staff"
          send={async () => {
            await setRoleOfStaff(member, null, current)
            onLeft()
          }}
          done={t('admin.staff.left', { name: member.nickname })}
          onClose={() => setLeaving(false)}
        >
          <Text>{t('admin.staff.leaveText')}</Text>
        </ActionDialog>
      )}
    </Stack>
  )
}

function Sessions({ member }: { member: StaffMember }) {
  const { t } = useTranslation()
  const query = useSessionsOfStaff(member.id)
  const end = useAdminAction({
    noun: 'staff',
    send: (sessionId: number | undefined) => endSessions(member, sessionId),
    done: t('admin.staff.ended'),
  })
  return (
    <section aria-labelledby="sessions">
      <Title order={2} size="h4" mb="sm" id="sessions">
        {t('admin.staff.sessions')}
      </Title>
      <Loaded query={query} height={110}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Text c="dimmed">{t('admin.staff.noSessions')}</Text>
          ) : (
            <>
              <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
                {sessions.map((session) => (
                  <SessionEntry key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
                ))}
              </Stack>
              <Button mt="sm" variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
                {t('admin.staff.endAll')}
              </Button>
            </>
          )
        }
      </Loaded>
      <RefusalAlert text={end.refusal} />
    </section>
  )
}

function SecondFactor({ member }: { member: StaffMember }) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <section aria-labelledby="second-factor">
      <Title order={2} size="h4" mb="sm" id="second-factor">
        {t('admin.staff.secondFactor')}
      </Title>
      <Button variant="outline" color="red" onClick={() => setAsked(true)}>
        {t('admin.staff.reset')}
      </Button>
      {isAsked && (
        <ActionDialog
          title={t('admin.staff.resetTitle', { name: member.nickname })}
          confirmLabel={t('admin.staff.reset')}
          name={member.nickname}
          noun="staff"
          send={() => resetSecondFactor(member)}
          done={t('admin.staff.resetDone')}
          onClose={() => setAsked(false)}
        >
          <Text>{t('admin.staff.resetText')}</Text>
        </ActionDialog>
      )}
    </section>
  )
}
