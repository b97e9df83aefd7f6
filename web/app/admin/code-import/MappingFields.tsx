import { ActionIcon, Code, Fieldset, Group, NativeSelect, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useCostCurrencies } from '../batches/batches.queries.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import { WideTable } from '../list/WideTable.tsx'
import { type ColumnKind, columnKinds, type Mapping, toCode, withRole } from './mapping.ts'
import type { Reading } from './read-table.ts'
import { type Separator, separators } from './read-text.ts'
import type { Opened } from './use-mapping.ts'

interface MappingFieldsProps {
  opened: Opened
  onMap(mapping: Mapping): void
  onReading(reading: Reading): void
}

const separatorNames = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '': 'none' } as const

/** The first rows of a file, and the choice of what its columns are. */
export function MappingFields({ opened: { table, mapping }, onMap, onReading }: MappingFieldsProps) {
  const { t } = useTranslation()
  const currencies = useCostCurrencies()
  const hasCostsIn = mapping.columns.includes('cost') && !mapping.columns.includes('currency')
  return (
    <Stack>
      <Group align="flex-end" gap="lg">
        {table.kind === 'text' ? (
          <NativeSelect
            label={t('admin.import.separator')}
            value={table.format.separator}
            onChange={(event) => onReading({ separator: event.currentTarget.value as Separator })}
            data={separators.map((value) => ({ value, label: t(`admin.import.separators.${separatorNames[value]}`) }))}
          />
        ) : (
          table.names.length > 1 && (
            <NativeSelect
              label={t('admin.import.sheet')}
              value={String(table.chosen)}
              onChange={(event) => onReading({ sheet: Number(event.currentTarget.value) })}
              data={table.names.map((label, at) => ({ value: String(at), label }))}
            />
          )
        )}
        {hasCostsIn && (
          <NativeSelect
            label={t('admin.import.costsIn')}
            value={mapping.costCurrency}
            onChange={(event) => onMap({ ...mapping, costCurrency: event.currentTarget.value })}
            data={currencies}
          />
        )}
        <Switch
          label={t('admin.import.isHeader')}
          checked={mapping.hasHeader}
          onChange={(event) => onMap({ ...mapping, hasHeader: event.currentTarget.checked })}
        />
      </Group>
      {table.kind === 'text' && table.format.encoding === 'windows-1251' && (
        <Text size="sm" c="dimmed">
          {t('admin.import.windows')}
        </Text>
      )}
      <Columns table={table} mapping={mapping} onMap={onMap} />
      {mapping.parts.length > 1 && <Parts table={table} mapping={mapping} onMap={onMap} />}
    </Stack>
  )
}

type PartProps = Pick<Opened, 'table' | 'mapping'> & Pick<MappingFieldsProps, 'onMap'>

function Columns({ table, mapping, onMap }: PartProps) {
  const { t } = useTranslation()
  const choices = columnKinds.map((value) => ({ value, label: t(`admin.import.role.${value}`) }))
  return (
    <WideTable minWidth={170 * mapping.columns.length} label={t('admin.import.rowsOf')}>
      <Table verticalSpacing={6} styles={{ td: { whiteSpace: 'pre-line', maxWidth: 260, overflowWrap: 'anywhere' } }}>
        <Table.Thead>
          <Table.Tr>
            {mapping.columns.map((role, column) => (
              <Table.Th key={`column-${column}`} miw={170}>
                <NativeSelect
                  aria-label={t('admin.import.column', { number: column + 1 })}
                  value={role}
                  onChange={(event) => onMap(withRole(mapping, column, event.currentTarget.value as ColumnKind))}
                  data={choices}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.first.slice(0, ADMIN_LIMITS.rowsShown).map((row, index) => (
            <Table.Tr key={row.line} fw={mapping.hasHeader && index === 0 ? 700 : undefined}>
              {mapping.columns.map((role, column) => (
                <Table.Td key={`cell-${column}`} c={role === 'skip' ? 'dimmed' : undefined}>
                  {row.cells[column]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  )
}

/** Which column is which line of a code, and what is said before it. */
function Parts({ table, mapping, onMap }: PartProps) {
  const { t } = useTranslation()
  const { parts } = mapping
  const example = table.first[mapping.hasHeader ? 1 : 0]
  const move = (from: number, to: number) => {
    const moved = [...parts]
    moved.splice(to, 0, ...moved.splice(from, 1))
    onMap({ ...mapping, parts: moved })
  }
  return (
    <Fieldset legend={t('admin.import.parts')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('admin.import.partsHint')}
        </Text>
        {parts.map((part, place) => {
          const number = part.column + 1
          return (
            <Group key={part.column} gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                flex={1}
                maw={320}
                label={t('admin.import.partLabel', { number })}
                maxLength={40}
                value={part.label}
                onChange={(event) => {
                  const label = event.currentTarget.value
                  onMap({ ...mapping, parts: parts.map((one) => (one === part ? { ...one, label } : one)) })
                }}
              />
              <ActionIcon
                variant="default"
                size={36}
                disabled={place === 0}
                aria-label={t('admin.import.up', { number })}
                onClick={() => move(place, place - 1)}
              >
                <IconArrowUp size={18} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size={36}
                disabled={place === parts.length - 1}
                aria-label={t('admin.import.down', { number })}
                onClick={() => move(place, place + 1)}
              >
                <IconArrowDown size={18} />
              </ActionIcon>
            </Group>
          )
        })}
        {example && (
          <div>
            <Text size="sm">{t('admin.import.buyerSees')}</Text>
            <Code block>{toCode(parts, (column) => example.cells[column] ?? '')}</Code>
          </div>
        )}
      </Stack>
    </Fieldset>
  )
}
