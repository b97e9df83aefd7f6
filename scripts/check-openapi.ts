import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import type { Endpoint } from '../contract/src/endpoint.ts'
import { describeApi } from '../server/src/platform/http/openapi.ts'

/** Every row of every endpoint table of the contract. */
export async function contractRows(): Promise<Endpoint[]> {
  const folder = join(import.meta.dirname, '../contract/src')
  const files = globSync('*.ts', { cwd: folder, exclude: ['*.test.ts'] })
  const modules = await Promise.all(files.toSorted().map((file) => import(join(folder, file))))
  return modules.flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => name.endsWith('Api'))
      .flatMap(([, table]) => Object.values(table as Record<string, Endpoint>)),
  )
}

/**
 * What Redocly and Spectral, with their recommended rules, have against a description of the API; one line each. Their
 * engines are used and not their commands: these ask the network for newer versions of themselves and tell who uses them.
 */
export async function complaintsAbout(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The addresses are the specification's: `/orders/events` beside `/orders/{id}`, of which the plain one wins.
      'no-ambiguous-paths': 'off',
      // A refusal is what all have in common and its own details; each half would call the other's fields additional.
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  const redocly = problems.map(
    ({ ruleId, message, location: [place] }) => `redocly ${ruleId}: ${place?.pointer} ${message}`,
  )

  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] })
  const results = await spectral.run(document as Record<string, unknown>)
  return [...redocly, ...results.map(({ code, message, path }) => `spectral ${code}: ${path.join('.')} ${message}`)]
}

if (import.meta.main) {
  const rows = await contractRows()
  const complaints = await complaintsAbout(describeApi(rows, { url: 'https://shop.example' }))
  for (const complaint of complaints) console.error(complaint)
  console.log(`${relative('.', import.meta.filename)}: ${rows.length} calls, ${complaints.length} complaints`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}
