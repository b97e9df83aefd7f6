/**
 * `failures` names each failure with the first lines of what it said, for those who have the end of a log only.
 * @typedef {{ passed: number, failed: number, failures?: string[] }} Count
 * @typedef {{ ok: boolean, title: string, file: string, line: number,
 *   tests: { projectName: string, results: { error?: { message?: string } }[] }[] }} Journey
 * @typedef {{ specs?: Journey[], suites?: JourneySuite[] }} JourneySuite
 */

/**
 * What Vitest's json report says. A file that broke before its first test is one failure.
 * @param {{ testResults: { status: string, name?: string, message?: string,
 *   assertionResults: { status: string, fullName?: string, failureMessages?: string[] | null }[] }[] }} report
 * @returns {Count}
 */
export function countUnitTests({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults, name }) => assertionResults.map((test) => ({ ...test, name })))
  const failed = tests.filter(({ status }) => status === 'failed')
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length + broken.length,
    failures: [
      ...failed.map((test) => describeFailure(`${test.name} › ${test.fullName}`, test.failureMessages?.join('\n'))),
      ...broken.map((file) => describeFailure(`${file.name}`, file.message)),
    ],
  }
}

/**
 * What Playwright's json report says. A journey that only a retry got through has failed.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number }, suites?: JourneySuite[] }} report
 * @returns {Count}
 */
export function countJourneys({ stats, suites = [] }) {
  const failures = listJourneys(suites).flatMap(({ file, line, title, tests }) =>
    tests.flatMap(({ projectName, results }) => {
      const messages = results.flatMap(({ error }) => error?.message ?? [])
      return messages.length === 0 ? [] : describeFailure(`[${projectName}] ${file}:${line} › ${title}`, messages[0])
    }),
  )
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, failures }
}

/**
 * @param {JourneySuite[]} suites
 * @returns {Journey[]}
 */
function listJourneys(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [...specs, ...listJourneys(inner)])
}

/**
 * @param {string} name
 * @param {string} [message]
 */
function describeFailure(name, message = '') {
  const lines = message.split('\n').slice(0, 8)
  return [name, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join('\n')
}

/**
 * A runner that ended badly, or ran nothing, has failed even where its report knows of no failure.
 * @param {Count} count
 * @param {number} exitCode
 * @returns {Count}
 */
export function withExitCode({ passed, failed, failures }, exitCode) {
  const hasHiddenFailure = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: hasHiddenFailure ? 1 : failed, failures }
}
