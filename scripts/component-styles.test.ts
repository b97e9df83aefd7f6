import { expect, test } from 'vitest'
import { findProblems, sheetsFor, sheetsIn } from './component-styles.ts'

const grounds = ['baseline', 'default-css-variables', 'global']

test.each<[string, string, string[]]>([
  ['nothing of the library', "import { Link } from 'react-router'", grounds],
  ['a part and what it is made of', "import { Paper } from '@mantine/core'", [...grounds, 'Paper']],
  [
    'parts in the order of the library, not of the import',
    "import { Button, type ButtonProps, CloseButton } from '@mantine/core'",
    [...grounds, 'UnstyledButton', 'Loader', 'CloseButton', 'Button'],
  ],
  [
    'an import over several lines',
    "import {\n  Stack,\n  Group as Row,\n} from '@mantine/core'",
    [...grounds, 'Group', 'Stack'],
  ],
  ['what a chart is made of', "import { BarChart } from '@mantine/charts'", [...grounds, 'ColorSwatch']],
])('finds the sheets of %s', (_, source, sheets) => {
  expect(sheetsFor([source])).toEqual(sheets)
})

test('reads a list', () => {
  const sheets = ['global', 'Button'].map((sheet) => `@import "@mantine/core/styles/${sheet}.css";\n`)
  expect(sheetsIn(sheets.join(''))).toEqual(['global', 'Button'])
})

test.each([
  ['complete', ['global', 'Input', 'Button'], []],
  ['one too few', ['global', 'Button'], ['Input.css is missing']],
  ['one too many', ['global', 'Input', 'Button', 'Tree'], ['nothing needs Tree.css']],
  [
    'two exchanged',
    ['global', 'Button', 'Input'],
    ['Button.css stands where the library has Input', 'Input.css stands where the library has Button'],
  ],
])('a list that is %s', (_, listed, problems) => {
  expect(findProblems({ listed, needed: ['global', 'Input', 'Button'] })).toEqual(problems)
})
