import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import classes from './Picker.module.css'

interface Group<Value extends string> {
  label: string
  current: Value
  options: readonly { value: Value; text: string; lang?: string; flag?: string }[]
  onChoose(value: Value): void
}

interface PickerProps<First extends string, Second extends string> {
  /** What is chosen, and what it is now. */
  label: string
  groups: readonly [Group<First>, Group<Second>]
  children: ReactNode
}

/** A button that opens a short menu of two choices. It closes by choosing, Escape, a press outside and leaving it with Tab. */
export function Picker<First extends string, Second extends string>(props: PickerProps<First, Second>) {
  const { label, groups, children } = props
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  useCloseOnPressOutside(wrap, isOpen, () => setOpen(false))

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return setOpen(false)
    if (event.key === 'Escape' && isOpen) return close()
    const items = [...(wrap.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const next = itemFor(event.key, items)
    if (!isOpen && event.key === 'ArrowDown') setOpen(true)
    else if (!next) return
    event.preventDefault()
    next?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the button and the menu in it
    <div ref={wrap} className={classes.wrap} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children} <span className="visually-hidden">{label}</span>
      </button>
      {isOpen && (
        <div id={menuId} role="menu" aria-label={label} className={classes.menu}>
          <Items group={groups[0]} takesFocus onChosen={close} />
          <Items group={groups[1]} onChosen={close} />
        </div>
      )}
    </div>
  )
}

interface ItemsProps<Value extends string> {
  group: Group<Value>
  takesFocus?: boolean
  onChosen(): void
}

function Items<Value extends string>({ group, takesFocus = false, onChosen }: ItemsProps<Value>) {
  const { label, current, options, onChoose } = group
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be part of a menu
    <div role="group" aria-label={label} className={classes.group}>
      <div className={classes.label} aria-hidden>
        {label}
      </div>
      {options.map(({ value, text, lang, flag }) => (
        <button
          key={value}
          type="button"
          role="menuitem"
          tabIndex={-1}
          lang={lang}
          aria-current={value === current}
          className={classes.item}
          ref={takesFocus && value === current ? takeFocus : undefined}
          onClick={() => {
            onChosen()
            onChoose(value)
          }}
        >
          {flag && <img src={flag} alt="" width={20} height={15} className={classes.flag} />}
          {text}
        </button>
      ))}
    </div>
  )
}

const takeFocus = (item: HTMLElement | null) => item?.focus()

function itemFor(key: string, items: HTMLElement[]): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  return undefined
}

function useCloseOnPressOutside(wrap: React.RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` does the same thing on every render
  useEffect(() => {
    if (!isOpen) return
    const press = ({ target }: PointerEvent) => !wrap.current?.contains(target as Node) && close()
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [isOpen])
}
