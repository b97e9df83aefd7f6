import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import classes from './Picker.module.css'

interface PickerProps<Value extends string> {
  /** What is chosen, and what it is now. */
  label: string
  icon?: ReactNode
  current: Value
  options: readonly { value: Value; text: string; lang?: string }[]
  onChoose(value: Value): void
  children: ReactNode
}

/** A button that opens a short menu. It closes by choosing, Escape, a press outside and leaving it with Tab. */
export function Picker<Value extends string>(props: PickerProps<Value>) {
  const { label, icon, current, options, onChoose, children } = props
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
      <Button
        ref={button}
        variant="subtle"
        color="gray"
        size="compact-md"
        px={8}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        leftSection={icon}
        rightSection={<IconChevronDown size={14} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </Button>
      {isOpen && (
        <div id={menuId} role="menu" aria-label={label} className={classes.menu}>
          {options.map(({ value, text, lang }) => (
            <button
              key={value}
              type="button"
              role="menuitem"
              tabIndex={-1}
              lang={lang}
              aria-current={value === current}
              className={classes.item}
              ref={value === current ? takeFocus : undefined}
              onClick={() => {
                close()
                onChoose(value)
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
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
