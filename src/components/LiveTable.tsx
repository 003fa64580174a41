import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type Key, memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { useEvent } from 'react-admin'

/** A column of a table with rows of any number. */
export interface TableColumn<Row> {
  key: string
  label: string
  /** The track of a CSS grid, as `96px` or `minmax(160px, 2fr)`. */
  width: string
  isAtEnd?: boolean
  /** Left out where there is no room for it. */
  isWide?: boolean
  /** What rows are ordered by; without it the column has no order. */
  sort?: (row: Row) => number | string
  cell: (row: Row) => ReactNode
}

/** By which column rows are ordered. */
export interface TableOrder {
  key: string
  isDescending: boolean
}

/** Compares by a column: numbers by their size, texts as people order them. */
export function compareBy<Row>(columns: readonly TableColumn<Row>[], { key, isDescending }: TableOrder) {
  const sort = columns.find((column) => column.key === key)?.sort
  const direction = isDescending ? -1 : 1
  return (one: Row, other: Row): number => {
    if (!sort) return 0
    const [a, b] = [sort(one), sort(other)]
    return direction * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)))
  }
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** The order of a table, and what a press on the head of a column makes of it. */
export function useTableOrder(first: TableOrder): [TableOrder, (key: string) => void] {
  const [order, setOrder] = useState(first)
  const choose = (key: string) =>
    setOrder((now) => ({
      key,
      isDescending: now.key === key ? !now.isDescending : key === first.key && first.isDescending,
    }))
  return [order, choose]
}

/** Pixels. */
const rowHeight = 40

interface LiveTableProps<Row> {
  /** Name of the table, for screen readers. */
  label: string
  columns: readonly TableColumn<Row>[]
  /** In their order. */
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  order: TableOrder
  onOrder: (key: string) => void
  /** Shown without rows. */
  empty: string
}

/** A table whose rows may be thousands and change every few seconds: only those in view are there. */
export function LiveTable<Row>({ label, columns, rows, keyOf, order, onOrder, empty }: LiveTableProps<Row>) {
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'), { noSsr: true })
  const shown = useMemo(() => (isNarrow ? columns.filter(({ isWide }) => !isWide) : columns), [columns, isNarrow])
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // Until the place is measured, which comes after the first drawing.
    initialRect: { width: 800, height: 640 },
  })
  const choose = useEvent(onOrder)
  const tracks = shown.map(({ width }) => width).join(' ')
  return (
    <Frame ref={frame} role="table" tabIndex={0} aria-label={label} aria-rowcount={rows.length + 1}>
      <Group role="rowgroup" className="head">
        <Line role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
          {shown.map((column) => (
            <Heading key={column.key} column={column} order={order} onOrder={choose} />
          ))}
        </Line>
      </Group>
      <Group role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start: top }) => {
          const row = rows[index] as Row
          return <TableRow key={keyOf(row)} row={row} index={index} top={top} columns={shown} tracks={tracks} />
        })}
      </Group>
      {rows.length === 0 ? <p>{empty}</p> : null}
    </Frame>
  )
}

interface HeadingProps {
  column: { key: string; label: string; isAtEnd?: boolean; sort?: unknown }
  order: TableOrder
  onOrder: (key: string) => void
}

function Heading({ column: { key, label, isAtEnd, sort }, order, onOrder }: HeadingProps) {
  const isCurrent = order.key === key
  return (
    <Cell
      role="columnheader"
      data-end={isAtEnd}
      aria-sort={isCurrent ? (order.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {sort ? (
        <button type="button" title={label} onClick={() => onOrder(key)}>
          {label}
          <i aria-hidden="true">{isCurrent ? (order.isDescending ? '▼' : '▲') : ''}</i>
        </button>
      ) : (
        label
      )}
    </Cell>
  )
}

interface TableRowProps<Row> {
  row: Row
  /** Its place among all rows, from 0. */
  index: number
  /** Pixels from the first row. */
  top: number
  columns: readonly TableColumn<Row>[]
  tracks: string
}

const TableRow = memo(function TableRow<Row>({ row, index, top, columns, tracks }: TableRowProps<Row>) {
  return (
    <Line
      role="row"
      aria-rowindex={index + 2}
      className="body"
      style={{ gridTemplateColumns: tracks, transform: `translateY(${top}px)` }}
    >
      {columns.map(({ key, isAtEnd, cell }) => (
        <Cell key={key} role="cell" data-end={isAtEnd}>
          {cell(row)}
        </Cell>
      ))}
    </Line>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

const Frame = styled('div')(({ theme }) => ({
  position: 'relative',
  maxHeight: 'max(320px, calc(100vh - 290px))',
  overflow: 'auto',
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '& > .head': { position: 'sticky', top: 0, zIndex: 1, background: theme.vars.palette.sunken },
  '& > p': { margin: 0, padding: theme.spacing(3, 2), color: theme.vars.palette.text.secondary },
}))

const Group = styled('div')({})

const Cell = styled('span')({
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  '&[data-end=true]': { textAlign: 'end' },
})

const Line = styled('div')(({ theme }) => ({
  display: 'grid',
  alignItems: 'center',
  columnGap: theme.spacing(1.5),
  height: rowHeight,
  padding: theme.spacing(0, 1.5),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '&.body': { position: 'absolute', top: 0, left: 0, right: 0 },
  '&.body:hover': { background: theme.vars.palette.action.hover },
  '& > [role=columnheader]': { fontWeight: 600, color: theme.vars.palette.text.secondary },
  '& > [role=columnheader] > button': {
    maxWidth: '100%',
    padding: 0,
    font: 'inherit',
    color: 'inherit',
    background: 'none',
    border: 'none',
    cursor: 'pointer',
    minHeight: 24,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    // A finger hits the whole height of a row.
    [theme.breakpoints.down('sm')]: { minHeight: rowHeight },
  },
  '& > [role=columnheader] > button:hover': { color: theme.vars.palette.text.primary },
  '& i': { marginInlineStart: 4, fontSize: 9, fontStyle: 'normal' },
  '& .link': {
    display: 'block',
    maxWidth: '100%',
    minHeight: 24,
    padding: 0,
    font: 'inherit',
    lineHeight: '24px',
    fontWeight: 500,
    textDecoration: 'none',
    color: theme.vars.palette.text.primary,
    background: 'none',
    border: 'none',
    cursor: 'pointer',
    textAlign: 'start',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    [theme.breakpoints.down('sm')]: { minHeight: rowHeight, lineHeight: `${rowHeight}px` },
  },
  '& .link:hover': { textDecoration: 'underline' },
  '& .quiet': { color: theme.vars.palette.text.secondary },
  '& .good': { color: theme.vars.palette.success.main },
  '& .bad': { color: theme.vars.palette.error.main, fontWeight: 500 },
  '& .warn': { color: theme.vars.palette.warning.main, fontWeight: 500 },
}))
