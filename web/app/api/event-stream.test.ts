import { expect, test } from 'vitest'
import { eventReader } from './event-stream.ts'

const stream =
  ': hello\n\ndata: {"id":"A","status":"pending"}\n\nevent: order\r\ndata: {"id":\ndata: "B"}\r\n\r\n: still here\n\n'

test.each([1, 2, 7, stream.length])('events come whole in pieces of %i characters', (size) => {
  const heard: unknown[] = []
  const read = eventReader((event) => heard.push(event))
  for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size))
  expect(heard).toEqual([{ id: 'A', status: 'pending' }, { id: 'B' }])
})

test('half an event waits for its other half', () => {
  const heard: unknown[] = []
  const read = eventReader((event) => heard.push(event))
  read('data: {"id":"A"}\n')
  expect(heard).toEqual([])
  read('\n')
  expect(heard).toEqual([{ id: 'A' }])
})
