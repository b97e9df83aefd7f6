/** Whether PostgreSQL can store a text unchanged: without NUL and unpaired surrogates. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed()
