import { useRef, useState } from 'react'
import { lastingStorage } from '../../ui/browser-storage.ts'
import { ADMIN_LIMITS } from '../limits.ts'
import { columnKinds, guessMapping, isRejected, type Mapping, type RejectedTitles, toShape } from './mapping.ts'
import { openTable, type Reading, type Table } from './read-table.ts'

/** A file that is open, and what its columns are. */
export interface Opened {
  table: Table
  mapping: Mapping
  isOwn: boolean
}

const storageName = 'olmos-import-columns'

type Remembered = Pick<Mapping, 'columns' | 'parts' | 'costCurrency'>

/** Reads what other versions of the page, or somebody by hand, may have written. */
function readRemembered(): [shape: string, mapping: Remembered][] {
  try {
    const read: unknown = JSON.parse(lastingStorage.getItem(storageName) ?? '[]')
    return Array.isArray(read) ? read.filter(isRemembered) : []
  } catch {
    return []
  }
}

function isRemembered(entry: unknown): entry is [string, Remembered] {
  const [shape, mapping] = Array.isArray(entry) ? entry : []
  if (typeof shape !== 'string' || typeof mapping?.costCurrency !== 'string') return false
  const { columns, parts } = mapping
  if (!Array.isArray(columns) || !columns.every((role) => columnKinds.includes(role)) || !Array.isArray(parts))
    return false
  return parts.every(({ column, label }) => columns[column] === 'code' && typeof label === 'string')
}

function remember(shape: string, { columns, parts, costCurrency }: Mapping): void {
  const others = readRemembered().filter(([known]) => known !== shape)
  const kept = [[shape, { columns, parts, costCurrency }], ...others].slice(0, ADMIN_LIMITS.mappingsMax)
  lastingStorage.setItem(storageName, JSON.stringify(kept))
}

/** What was chosen for the last file with these titles, or with so many columns; else a guess. */
function findMapping({ first, columns }: Table, isOwn: boolean): Mapping {
  const guess = guessMapping(first, columns, isOwn)
  const shape = toShape(first, guess, isOwn)
  const known = readRemembered().find(([name]) => name === shape)?.[1]
  const count = isOwn ? columns - 2 : columns
  if (!known || known.columns.length < count) return guess
  const kept = known.columns.slice(0, count)
  if (known.parts.some(({ column }) => column >= count)) return guess
  return { ...guess, ...known, columns: isOwn ? [...kept, 'skip', 'skip'] : kept }
}

interface Opening {
  opened: Opened | undefined
  error: unknown
  isOpening: boolean
}

const nothing: Opening = { opened: undefined, error: undefined, isOpening: false }

/** Opens files and keeps what their columns are: as they were chosen the last time, or as they look. */
export function useMapping(titles: RejectedTitles) {
  const [state, setState] = useState(nothing)
  const turns = useRef(0)

  /** Opens a file, or nothing; a later one is not overtaken. */
  const open = async (file: Blob | undefined, reading?: Reading): Promise<void> => {
    const turn = ++turns.current
    setState((before) => ({ ...(reading ? before : nothing), error: undefined, isOpening: file !== undefined }))
    if (!file) return
    try {
      const table = await openTable(file, reading)
      const isOwn = isRejected(table.first, titles)
      if (turn === turns.current) setState({ ...nothing, opened: { table, isOwn, mapping: findMapping(table, isOwn) } })
    } catch (error) {
      if (turn === turns.current) setState({ ...nothing, error })
    }
  }

  return {
    ...state,
    open,
    map: (mapping: Mapping) =>
      setState((before) => (before.opened ? { ...before, opened: { ...before.opened, mapping } } : before)),
    remember: ({ table, mapping, isOwn }: Opened) => remember(toShape(table.first, mapping, isOwn), mapping),
  }
}
