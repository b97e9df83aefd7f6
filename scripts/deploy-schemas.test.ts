import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { type Fields, type Files, readManifests } from './helm-chart.ts'
import { capture, nodeBinary, root } from './run.mjs'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const chart = 'deploy/helm/olmos'
const composeFile = 'deploy/compose.yaml'
const files: Files = Object.fromEntries(
  globSync([composeFile, `${chart}/**/*.yaml`], { cwd: root }).map((path) => [path, read(path)]),
)

/** The schema of the Compose Specification, which dclint carries: Docker's own check of a file needs an engine. */
const isCompose = new Ajv({ strict: false, allErrors: true, validateSchema: false, validateFormats: false }).compile(
  JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')),
)

function complainAboutCompose(all: Files): string[] {
  if (isCompose(parseYaml(all[composeFile] ?? ''))) return []
  return (isCompose.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/**
 * Has the compiler compare what the chart makes with types that are made of Kubernetes' own description of its API: it
 * refuses fields that are not there, lack, or have a value of another kind. Resolves to what it says.
 */
async function complainAboutChart(all: Files): Promise<string[]> {
  const values = parseYaml(all[`${chart}/values.yaml`] ?? '') as Fields
  const both = [values, { ...values, salesLog: { claim: 'sales' } }]
  const manifests = both.flatMap((chosen) => readManifests(all, chart, chosen))
  const lines = manifests.map((manifest, index) => {
    const group = String(manifest.apiVersion) === 'v1' ? 'core/v1' : String(manifest.apiVersion).replace('.k8s.io', '')
    return `export const manifest${index}: import('kubernetes-types/${group}').${manifest.kind} = ${JSON.stringify(manifest, undefined, 2)}`
  })
  // Inside the repository, where its packages are found.
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const folder = mkdtempSync(join(root, 'test-results/manifests-'))
  try {
    const path = join(folder, 'manifests.ts')
    writeFileSync(path, `${lines.join('\n')}\n`)
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--module',
      'preserve',
      '--target',
      'esnext',
      '--types',
      '',
    ]
    const { code, output } = await capture(nodeBinary(), ['node_modules/typescript/bin/tsc', ...options, path])
    return code === 0 ? [] : output.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('compose.yaml is as the Compose Specification has it', () => {
  expect(complainAboutCompose(files)).toEqual([])
})

test('the chart makes what Kubernetes takes', async () => {
  expect(await complainAboutChart(files)).toEqual([])
})

test.each([
  ['a misspelt limit', 'mem_limit:', 'mem_limits:', 'mem_limits'],
  ['a condition that is none', 'service_healthy', 'service_health', 'service_healthy'],
  ['a check without a list', 'test: [CMD, pg_isready', 'tests: [CMD, pg_isready', 'tests'],
])('%s in compose.yaml is found', (_name, from, to, complaint) => {
  const planted = files[composeFile]?.replace(from, to) ?? ''
  expect(planted).not.toBe(files[composeFile])
  expect(complainAboutCompose({ [composeFile]: planted }).join('\n')).toContain(complaint)
})

test('faults in the chart are found', async () => {
  const plants = [
    ['deployment', 'readinessProbe:', 'readynessProbe:'],
    ['migration', 'runAsUser: 10001', 'runAsUser: ten'],
    ['disruption-budget', 'policy/v1', 'policy/v1beta1'],
    ['backup', /^ *schedule: .*$/m, ''],
  ] as const
  const planted = plants.map(([template, from, to]) => {
    const path = `${chart}/templates/${template}.yaml`
    const text = files[path]?.replace(from, to) ?? ''
    expect(text).not.toBe(files[path])
    return [path, text]
  })
  const complaints = (await complainAboutChart({ ...files, ...Object.fromEntries(planted) })).join('\n')
  expect(complaints).toContain("'\"readynessProbe\"' does not exist in type 'Container'")
  expect(complaints).toContain("Type 'string' is not assignable to type 'number'")
  expect(complaints).toContain("Cannot find module 'kubernetes-types/policy/v1beta1'")
  expect(complaints).toMatch(/Property 'schedule' is missing in type .* but required in type 'CronJobSpec'/)
})
