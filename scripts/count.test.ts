import { expect, test } from 'vitest'
import { countJourneys, countUnitTests, withExitCode } from './count.mjs'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((result) => ({ status: result })),
})

test.each([
  ['tests of several files', [file('passed', 'passed', 'passed'), file('failed', 'failed', 'passed')], [3, 1]],
  ['a file that broke before its first test', [file('failed'), file('passed', 'passed')], [1, 1]],
  ['a file whose hook broke after its tests', [file('failed', 'passed')], [1, 1]],
  ['skipped tests', [file('passed', 'passed', 'pending', 'todo')], [1, 0]],
])('unit tests: %s', (_name, testResults, [passed, failed]) => {
  expect(countUnitTests({ testResults })).toMatchObject({ passed, failed })
})

test('journeys: one that needed a retry has failed', () => {
  expect(countJourneys({ stats: { expected: 5, unexpected: 2, flaky: 1 } })).toEqual({
    passed: 5,
    failed: 3,
    failures: [],
  })
})

test('unit tests: a failure is named with what it said', () => {
  const failed = { status: 'failed', fullName: 'a code is sold once', failureMessages: ['expected 1 to be 2'] }
  const report = { testResults: [{ status: 'failed', name: 'codes.test.ts', assertionResults: [failed] }] }
  expect(countUnitTests(report).failures).toEqual(['codes.test.ts › a code is sold once\n    expected 1 to be 2'])
})

test('journeys: a failure is named with what it said', () => {
  const passed = { projectName: 'desktop', results: [{}] }
  const failed = { projectName: 'phone', results: [{ error: { message: 'no such button' } }] }
  const journey = { ok: false, title: 'a purchase', file: 'purchase.spec.ts', line: 3, tests: [passed, failed] }
  const report = { stats: { expected: 1, unexpected: 1, flaky: 0 }, suites: [{ suites: [{ specs: [journey] }] }] }
  expect(countJourneys(report).failures).toEqual(['[phone] purchase.spec.ts:3 › a purchase\n    no such button'])
})

test.each([
  ['a good run', { passed: 2, failed: 0 }, 0, { passed: 2, failed: 0 }],
  ['a run with failures', { passed: 2, failed: 3 }, 1, { passed: 2, failed: 3 }],
  ['a crash after good tests', { passed: 2, failed: 0 }, 1, { passed: 2, failed: 1 }],
  ['a run of nothing', { passed: 0, failed: 0 }, 0, { passed: 0, failed: 1 }],
])('exit code: %s', (_name, count, exitCode, expected) => {
  expect(withExitCode(count, exitCode)).toMatchObject(expected)
})
