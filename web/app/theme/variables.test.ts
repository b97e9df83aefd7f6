import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { expect, test } from 'vitest'
import { theme } from './theme.ts'

const usual = defaultCssVariablesResolver(DEFAULT_THEME)
const ours = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))

const pickOwn = (variables: Record<string, string>, known: Record<string, string>) =>
  Object.fromEntries(Object.entries(variables).filter(([name, value]) => known[name] !== value))

test('variables.css has what theme.ts changes in the variables of Mantine; `npx vitest -u` writes it', async () => {
  const css = convertCssVariables(
    {
      variables: pickOwn(ours.variables, usual.variables),
      dark: pickOwn(ours.dark, usual.dark),
      light: pickOwn(ours.light, usual.light),
    },
    ':root',
  )
  const lines = css
    .replaceAll('{', ' {\n')
    .replaceAll(';', ';\n')
    .replaceAll(/^--/gm, '  --')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll("'", '"')
  await expect(`/* Written by variables.test.ts from theme.ts. */\n${lines.trim()}\n`).toMatchFileSnapshot(
    'variables.css',
  )
})
