/** Whether PostgreSQL can hold a text and give it back: no NUL in it, no half of a surrogate pair. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed()
