/** @typedef {{ passed: number, failed: number }} Count */

/**
 * What Vitest's json report says. A file that broke before its first test is one failure.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {Count}
 */
export function countUnitTests({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: tests.filter(({ status }) => status === 'failed').length + broken.length,
  }
}

/**
 * What Playwright's json report says. A journey that only a retry got through has failed.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number } }} report
 * @returns {Count}
 */
export function countJourneys({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

/**
 * A runner that ended badly, or ran nothing, has failed even where its report knows of no failure.
 * @param {Count} count
 * @param {number} exitCode
 * @returns {Count}
 */
export function withExitCode({ passed, failed }, exitCode) {
  const hasHiddenFailure = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: hasHiddenFailure ? 1 : failed }
}
