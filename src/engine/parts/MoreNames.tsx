import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { LinkBase, useTranslate } from 'react-admin'
import './names.css'

/** A name in the list, and the address of its record where this person may open it. */
export interface ListedName {
  id: string | number
  name: string
  to?: string
}

interface MoreNamesProps {
  /** What the names are: 'Servers'. */
  label: string
  /** All names, those that are shown beside included. Asked when the list opens: a group may have ten thousand. */
  names: () => readonly ListedName[]
  /** How many are not shown beside. */
  count: number
}

/** Milliseconds that the pointer rests before the list opens, and is away before it closes. */
const hoverDelay = 150

/**
 * '+ 17 more', which opens the whole list by name: on hover, on focus and by a tap. Its links follow in the order of the
 * tab key; Escape closes it. It lies in the browser's top layer, so that no cell or dialog cuts it off.
 */
export function MoreNames({ label, names, count }: MoreNamesProps) {
  const translate = useTranslate()
  const id = useId()
  const frame = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setOpen] = useState(false)
  const open = (shown: boolean, delay = 0) => {
    clearTimeout(timer.current)
    if (delay === 0) return setOpen(shown)
    timer.current = setTimeout(() => setOpen(shown), delay)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isOpen) return
    // A finger elsewhere takes no focus away.
    const onPress = ({ target }: Event) => !frame.current?.contains(target as Node) && setOpen(false)
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  const text = translate('app.list.more', { count })
  const isOfMouse = (event: PointerEvent) => event.pointerType === 'mouse'
  const isInside = (target: EventTarget | null) => frame.current?.contains(target as Node | null) === true
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it opens the list; these follow pointer and focus
    <span
      ref={frame}
      className="more-names"
      onPointerEnter={(event) => isOfMouse(event) && open(true, hoverDelay)}
      onPointerLeave={(event) => isOfMouse(event) && !isInside(document.activeElement) && open(false, hoverDelay)}
      onFocus={() => open(true)}
      onBlur={(event: FocusEvent) => !isInside(event.relatedTarget) && open(false)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return
        // Only the list closes, not the dialog around it.
        event.stopPropagation()
        button.current?.focus()
        open(false)
      }}
      // The row around it opens its record by a click; a picker around it keeps the focus for its input.
      onClick={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${label}: ${text}`}
        onClick={() => open(true)}
      >
        {text}
      </button>
      {isOpen && button.current ? <NameList id={id} label={label} names={names()} anchor={button.current} /> : null}
    </span>
  )
}

interface NameListProps {
  id: string
  label: string
  names: readonly ListedName[]
  anchor: HTMLElement
}

/** Pixels between the list and the button, and the edge of the window. */
const gap = 4

function NameList({ id, label, names, anchor }: NameListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const place = () => {
      const button = anchor.getBoundingClientRect()
      const { offsetWidth, offsetHeight } = element
      const below = button.bottom + gap
      const fits = below + offsetHeight <= window.innerHeight - gap
      element.style.top = `${fits ? below : Math.max(gap, button.top - gap - offsetHeight)}px`
      element.style.left = `${Math.max(gap, Math.min(button.left, window.innerWidth - offsetWidth - gap))}px`
    }
    // jsdom has no top layer.
    element.showPopover?.()
    place()
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
    }
  }, [anchor])
  const hasLinks = names.some(({ to }) => to !== undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div
      ref={list}
      id={id}
      popover="manual"
      role="group"
      aria-label={label}
      className="name-list"
      onKeyDown={moveInList}
    >
      <strong>
        {label} <small>{names.length}</small>
      </strong>
      {/* Without links, the keys that scroll need the focus here. */}
      <ul tabIndex={hasLinks ? undefined : 0} aria-label={label}>
        {names.map(({ id: key, name, to }) => (
          <li key={key}>{to === undefined ? name : <LinkBase to={to}>{name}</LinkBase>}</li>
        ))}
      </ul>
    </div>
  )
}

/** Arrows move in the list, and not between the rows behind it. */
function moveInList(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.stopPropagation()
  const links = [...event.currentTarget.querySelectorAll('a')]
  const index = links.indexOf(event.target as HTMLAnchorElement)
  if (index < 0) return
  event.preventDefault()
  links[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
