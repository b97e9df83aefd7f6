import type { PageBlock } from '@olmos/contract/pages'
import { createElement, type ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './Blocks.module.css'

/** A text that an owner wrote. It came as parts, of which elements are made here: it can't bring any of its own. */
export const OwnText = ({ blocks, language }: { blocks: readonly PageBlock[]; language: string }) => (
  <div className={classes.text} lang={language}>
    <Blocks blocks={blocks} depth={0} />
  </div>
)

/** Blocks in what they stand in, from a depth on. */
function Blocks({ blocks, depth }: { blocks: readonly PageBlock[]; depth: number }) {
  return groupBlocks(blocks, depth).map(([first, ...rest]) => {
    const frame = first.frames[depth]
    if (!frame) return <Block key={first.line} block={first} />
    const inside = <Blocks blocks={[first, ...rest]} depth={depth + 1} />
    if (frame.kind === 'numbers') {
      return (
        <ol key={frame.id} start={frame.start}>
          {inside}
        </ol>
      )
    }
    return createElement(frameElements[frame.kind], { key: frame.id }, inside)
  })
}

const frameElements = { quote: 'blockquote', bullets: 'ul', item: 'li' } as const

/** Puts blocks together that stand in the same list, quote or item. */
function groupBlocks(blocks: readonly PageBlock[], depth: number): [PageBlock, ...PageBlock[]][] {
  const groups: [PageBlock, ...PageBlock[]][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    const id = block.frames[depth]?.id
    if (last && id !== undefined && last[0].frames[depth]?.id === id) last.push(block)
    else groups.push([block])
  }
  return groups
}

function Block({ block: { kind, level, words } }: { block: PageBlock }) {
  const inside = words.map(toElement)
  if (kind === 'rule') return <hr />
  if (kind === 'code') return createElement('pre', null, ...inside)
  return createElement(kind === 'heading' ? (headings[level - 2] ?? 'h4') : 'p', null, ...inside)
}

const headings = ['h2', 'h3', 'h4'] as const

function toElement({ text, marks, url }: PageBlock['words'][number]): ReactNode {
  const marked = marks.reduceRight<ReactNode>(
    (inside, mark) => createElement(mark === 'emphasis' ? 'em' : mark, null, inside),
    text,
  )
  if (url === null) return marked
  return url.startsWith('/') ? <Link to={url}>{marked}</Link> : <a href={url}>{marked}</a>
}
