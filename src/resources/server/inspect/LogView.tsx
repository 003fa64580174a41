import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { foundRows, SearchField, SubjectPanel } from './SubjectPanel.tsx'

/** A line with what is known of it. */
export interface ShownLine {
  at?: string
  priority?: number
  unit?: string
  identifier?: string
  pid?: number
  message: string
}

/** Pixels: a line that is not measured yet, and how near to the end still counts as there. */
const lineHeight = 20
const nearEnd = 40

interface LogViewProps {
  label: string
  lines: readonly ShownLine[]
  empty: string
  /** For the lines before these, as long as there are any. */
  earlier?: { isLoading: boolean; onLoad: () => void } | undefined
}

/** Lines of a log, the last one at the end. It stays at the end while it is there; only the lines in view are drawn. */
export function LogView({ label, lines, empty, earlier }: LogViewProps) {
  const { locale, translate } = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    // Until the place is measured, which comes after the first drawing.
    initialRect: { width: 800, height: 640 },
  })
  const follow = useEvent(() => {
    if (isAtEnd.current && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines have come
  useEffect(() => follow(), [follow, lines])
  const shown = useRef(lines)
  useLayoutEffect(() => {
    const [before, last] = [shown.current, lines.at(-1)]
    shown.current = lines
    const added = lines.length - before.length
    // Those that were on screen stay there.
    if (added > 0 && last !== undefined && last === before.at(-1)) virtual.scrollToIndex(added, { align: 'start' })
  }, [lines, virtual])
  return (
    <Frame
      ref={frame}
      role="log"
      aria-live="off"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd
      }}
    >
      {earlier ? (
        <Button
          size="small"
          disabled={earlier.isLoading}
          onClick={() => {
            isAtEnd.current = false
            earlier.onLoad()
          }}
        >
          {translate('app.inspect.logs.earlier')}
        </Button>
      ) : null}
      {lines.length === 0 ? <p>{empty}</p> : null}
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index] as ShownLine
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-priority={line.priority}
              className="line"
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.at ? <time dateTime={line.at}>{timeText(line.at, locale)} </time> : null}
              {line.identifier || line.unit ? <b>{sourceText(line)} </b> : null}
              <span>{shownControls(line.message)}</span>
            </div>
          )
        })}
      </div>
    </Frame>
  )
}

const timeText = (at: string, locale: string) =>
  new Date(at).toLocaleString(locale, {
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

export const sourceText = ({ identifier, unit = '', pid }: ShownLine) =>
  `${identifier ?? unit}${pid === undefined ? '' : `[${pid}]`}:`

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colours = /\u001b\[[\d;]*[A-Za-z]/g
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Without colours of terminals; what would turn the direction of the line is written out. */
const shownControls = (text: string) =>
  text.replace(colours, '').replace(directions, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)

const Frame = styled('div')(({ theme }) => ({
  height: 'max(320px, calc(100vh - 340px))',
  overflow: 'auto',
  padding: theme.spacing(1, 1.5),
  fontFamily: 'var(--mono)',
  fontSize: 12,
  lineHeight: `${lineHeight}px`,
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '& > p': {
    margin: theme.spacing(1, 0),
    fontFamily: theme.typography.fontFamily,
    color: theme.vars.palette.text.secondary,
  },
  '& .line': { position: 'absolute', left: 0, right: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '& time': { marginInlineEnd: theme.spacing(0.5), color: theme.vars.palette.text.secondary },
  '& b': { fontWeight: 600 },
  '& .line:is([data-priority="0"], [data-priority="1"], [data-priority="2"], [data-priority="3"]) span': {
    color: theme.vars.palette.error.main,
  },
  '& .line[data-priority="4"] span': { color: theme.vars.palette.warning.main },
  '& .line[data-priority="7"] span': { color: theme.vars.palette.text.secondary },
}))

interface LogPanelProps {
  asked: ComponentProps<typeof SubjectPanel>['asked'] & { data: { items: readonly ShownLine[] } | undefined }
}

/** The log of one thing as it grows, with a search. */
export function LogPanel({ asked }: LogPanelProps) {
  const translate = useTranslate()
  const [search, setSearch] = useState('')
  const lines = foundRows(asked.data?.items ?? [], search, ({ message }) => message)
  return (
    <SubjectPanel asked={asked} tools={<SearchField value={search} onChange={setSearch} />}>
      <LogView
        label={translate('app.inspect.show_log')}
        lines={lines}
        empty={translate(search ? 'app.inspect.nothing_found' : 'app.inspect.logs.none')}
      />
    </SubjectPanel>
  )
}
