import { ActionIcon, Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { AccountField } from '@olmos/contract/topup-data'
import { IconAlertCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { accountText } from './account.ts'
import { specifiedTopups } from './specified-topups.ts'
import classes from './topups.module.css'
import { type AccountFormState, changeKey, toFieldName } from './use-account.ts'

interface AccountFormProps {
  slug: string
  account: AccountFormState
  /** Stands below the fields. */
  help?: ReactNode
}

/** Asks whose account is topped up, and shows the player that Find brings up for it. */
export function AccountForm({ slug, account, help }: AccountFormProps) {
  const { t } = useTranslation()
  const specified = specifiedTopups[slug]
  const button = account.isChecked && (
    <Button type="submit" size="md" variant="default" loading={account.isFinding}>
      {t('topups.find')}
    </Button>
  )
  if (account.isFolded) {
    return (
      <Stack gap="sm">
        <KnownAccount account={account} />
        <div role="status" className={classes.status}>
          <Trouble text={account.trouble} />
        </div>
        <KeptAccounts account={account} />
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (account.isChecked) account.find()
        }}
      >
        <Stack gap="sm">
          {account.fields.map((field, at) => (
            <FieldInput
              key={field.key}
              field={field}
              hint={field.hint || (at === 0 && specified ? t(specified.hint) : '')}
              account={account}
              beside={at === account.fields.length - 1 && button}
            />
          ))}
        </Stack>
      </form>
      <div role="status" className={classes.status}>
        <Trouble text={account.trouble} />
        {account.isFound && <FoundPlayer name={account.playerName} />}
      </div>
      {help}
      <KeptAccounts account={account} />
    </Stack>
  )
}

interface FieldInputProps {
  field: AccountField
  hint: string
  account: AccountFormState
  /** Stands in the row of the input itself. */
  beside: ReactNode
}

const keyboards = {
  digits: { inputMode: 'numeric', autoComplete: 'off' },
  login: { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' },
  phone: { type: 'tel', autoComplete: 'tel' },
  text: { autoComplete: 'off' },
} as const

function FieldInput({ field, hint, account, beside }: FieldInputProps) {
  const { t } = useTranslation()
  const { key, type, label, required, options } = field
  const common = {
    size: 'md',
    name: toFieldName(key),
    label: required ? label : t('topups.optional', { label }),
    description: hint || undefined,
    error: account.readFault(key),
    value: account.values[key] ?? '',
    onBlur: () => account.leave(key),
    inputContainer: (input: ReactNode) =>
      beside ? (
        <div className={classes.inputRow}>
          <div>{input}</div>
          {beside}
        </div>
      ) : (
        input
      ),
  } as const
  if (type !== 'select') {
    return (
      <TextInput
        {...common}
        {...keyboards[type]}
        readOnly={account.isFinding}
        onChange={(event) => account.change(key, event.currentTarget.value)}
      />
    )
  }
  return (
    <NativeSelect
      {...common}
      data={[{ value: '', label: t('topups.choose'), disabled: required }, ...options]}
      onChange={(event) => account.change(key, event.currentTarget.value)}
    />
  )
}

/** An account that was used before, in one line. */
function KnownAccount({ account }: { account: AccountFormState }) {
  const { t } = useTranslation()
  const text = accountText(account.fields, account.values)
  const name = account.playerName || text
  return (
    <div role="status" className={classes.known} data-found={account.isFound || undefined}>
      <Avatar name={name} />
      <Box flex="1 1 6rem" miw={0} translate="no">
        <Text fw={700}>{name}</Text>
        <Text size="sm" c="dimmed" className={classes.parts}>
          {name !== text && <span>{text}</span>}
          {account.isFound && account.isChecked && <span translate="yes">{t('topups.playerFound')}</span>}
        </Text>
      </Box>
      <Button
        variant="default"
        size="compact-md"
        name={toFieldName(changeKey)}
        mih={44}
        loading={account.isFinding}
        onClick={account.unfold}
      >
        {t('topups.change')}
      </Button>
    </div>
  )
}

/** Why the player could not be looked for. */
const Trouble = ({ text = '' }: { text?: string | undefined }) =>
  text !== '' && (
    <Text size="sm" c="var(--olmos-bad)" className={classes.trouble}>
      <IconAlertCircle size={18} aria-hidden /> {text}
    </Text>
  )

/** Names the player that was found; where nobody tells names, says to look twice. */
function FoundPlayer({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.known} data-found>
      {name !== '' && <Avatar name={name} />}
      <Box flex="1 1 6rem" miw={0}>
        <Text size="sm" c="dimmed">
          {t(name === '' ? 'topups.namesUnknown' : 'topups.playerFound')}
        </Text>
        <Text fw={700} translate="no">
          {name}
        </Text>
      </Box>
      <IconCircleCheckFilled size={22} color="var(--olmos-good)" aria-hidden style={{ flexShrink: 0 }} />
    </div>
  )
}

const Avatar = ({ name }: { name: string }) => (
  <span className={classes.avatar} aria-hidden>
    {/[\p{L}\p{N}]|./u.exec(name)?.[0].toUpperCase()}
  </span>
)

/** Accounts that were used before, to be chosen by one press. */
function KeptAccounts({ account: { fields, kept, values, choose, isFinding } }: { account: AccountFormState }) {
  const { t } = useTranslation()
  const present = accountText(fields, values)
  const others = kept.accounts
    .map((entry) => ({ ...entry, text: accountText(fields, entry.account) }))
    .filter(({ text }) => text !== present)
  if (others.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={t('topups.recent')}>
      <Text size="sm" c="dimmed">
        {t('topups.recent')}
      </Text>
      {others.map(({ account, name, text }) => (
        <Group key={text} gap={2} wrap="nowrap">
          <Button
            variant="default"
            size="compact-md"
            mih={44}
            maw={220}
            disabled={isFinding}
            onClick={() => choose(account, name)}
            translate="no"
          >
            {name || text}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t('topups.forget', { account: name || text })}
            onClick={() => kept.forget(account)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Group>
  )
}
