import { lastingStorage } from '../../ui/browser-storage.ts'
import { announceStored, useStored } from '../../ui/stored.ts'

const storageKey = 'used-codes'
/** Older marks are forgotten. */
const mostKept = 500

const readMarks = (): string => lastingStorage.getItem(storageKey) ?? ''

/**
 * Which codes of a line of an order were marked as used. The marks stay in this browser, which keeps the line's id and the
 * place of the code there, and no code.
 */
export function useUsedCodes(itemId: number) {
  const marks = useStored(readMarks, '').split(' ')
  const toMark = (place: number) => `${itemId}:${place}`
  return {
    isUsed: (place: number): boolean => marks.includes(toMark(place)),
    mark(place: number, isUsed: boolean): void {
      const mark = toMark(place)
      const others = readMarks()
        .split(' ')
        .filter((one) => one !== '' && one !== mark)
      lastingStorage.setItem(storageKey, [...(isUsed ? [mark] : []), ...others].slice(0, mostKept).join(' '))
      announceStored()
    },
  }
}
