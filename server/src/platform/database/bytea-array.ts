const oneDimension = 1
const firstIndex = 1
/** The number of the type bytea in PostgreSQL's catalogue. */
const bytea = 17
const headerBytes = 20
const lengthBytes = 4

/**
 * Writes byte strings as the value of a parameter of type bytea[]. pg sends an array as text, two digits and more for each
 * byte, which the server has to read again; a buffer is sent as it is, so this is what `array_recv` of PostgreSQL reads
 * (src/backend/utils/adt/arrayfuncs.c): dimensions, whether there are nulls, the type, then of each dimension its size and
 * first index, then each element after its length.
 */
export function toByteaArray(values: readonly Buffer[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + lengthBytes + value.length, headerBytes)
  const array = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const number of [oneDimension, 0, bytea, values.length, firstIndex]) at = array.writeInt32BE(number, at)
  for (const value of values) {
    at = array.writeInt32BE(value.length, at)
    at += value.copy(array, at)
  }
  return array
}
