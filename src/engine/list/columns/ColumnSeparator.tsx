import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslate } from 'react-admin'
import { columnWidths, useColumnWidths } from '../state/useTableChoices.ts'
import './separator.css'

/** Pixels that an arrow key moves it. */
const step = 16

/**
 * The edge between two headings: dragged, or moved by the arrow keys, it changes the width of the column before it; a
 * double click, Enter or Delete makes it as wide as what it shows.
 */
export function ColumnSeparator({ source, heading }: { source: string; heading: string }) {
  const translate = useTranslate()
  const { widths, setWidth } = useColumnWidths()
  const handle = useRef<HTMLSpanElement>(null)
  const drag = useRef<{ x: number; width: number }>(undefined)
  const current = () =>
    widths[source] ?? handle.current?.parentElement?.getBoundingClientRect().width ?? columnWidths.min

  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: current() }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) setWidth(source, drag.current.width + clientX - drag.current.x)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const width = { ArrowLeft: current() - step, ArrowRight: current() + step, Home: columnWidths.min }[event.key]
    const isReset = event.key === 'Enter' || event.key === 'Delete'
    if (width === undefined && !isReset) return
    event.preventDefault()
    event.stopPropagation()
    setWidth(source, width)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has no width that one could drag
    <span
      ref={handle}
      className="column-separator"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={translate('app.list.column_width', { column: heading })}
      aria-valuemin={columnWidths.min}
      aria-valuemax={columnWidths.max}
      aria-valuenow={widths[source] ?? columnWidths.min}
      aria-valuetext={widths[source] === undefined ? translate('app.list.column_width_auto') : `${widths[source]} px`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined
      }}
      onPointerCancel={() => {
        drag.current = undefined
      }}
      onDoubleClick={() => setWidth(source, undefined)}
      onKeyDown={onKeyDown}
    />
  )
}
