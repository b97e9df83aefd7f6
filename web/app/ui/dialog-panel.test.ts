import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DialogPanel } from './DialogPanel.tsx'

test('a press beside a dialog does not close it: what is typed into it would be lost', () => {
  const roots: ReactElement<{ closeOnClickOutside?: boolean }>[] = []
  const Probe = () => {
    roots.push(DialogPanel({ isOpen: true, onClose: () => {}, title: 'Refund', children: null }))
    return null
  }
  renderToStaticMarkup(createElement(Probe))
  expect(roots.map(({ props }) => props.closeOnClickOutside)).toEqual([false])
})
