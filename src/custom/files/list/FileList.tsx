import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useRef } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { type Entry, findByTyping } from '../transfer/entries.ts'
import { type RawPath, shownPath } from '../transfer/remotePath.ts'
import { FileRow } from './FileRow.tsx'
import { Grid } from './fileListStyles.tsx'

/** Pixels. */
const rowHeight = 32
/** Letters typed within this time belong together, in ms. */
const typeAheadMs = 1_000

interface FileListProps {
  /** The folder. */
  path: RawPath
  entries: readonly Entry[]
  /** Shown when there are no entries. */
  empty: ReactNode
  /** The active entry, which keys apply to. */
  active: RawPath | undefined
  onActivate: (raw: RawPath) => void
  onOpen: (entry: Entry) => void
  onUp: () => void
  onDownload: (entry: Entry) => void
}

/** The entries of a folder, with the keys of a file manager. Only the rows in view are there. */
export const FileList = memo(function FileList(props: FileListProps) {
  const { path, entries, empty, active } = props
  const translate = useTranslate()
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const activeIndex = Math.max(
    0,
    entries.findIndex(({ raw }) => raw === active),
  )
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // Until the place is measured, which comes after the first drawing.
    initialRect: { width: 380, height: 640 },
  })
  const open = useEvent(props.onOpen) as (entry: Entry) => void
  const download = useEvent(props.onDownload) as (entry: Entry) => void
  const activate = useEvent(props.onActivate) as (raw: RawPath) => void

  // A folder that has just been opened takes the keys, unless somebody is typing elsewhere.
  const start = useEvent(() => {
    virtual.scrollToIndex(activeIndex)
    if (!document.activeElement?.matches('input, textarea')) grid.current?.focus({ preventScroll: true })
  }) as () => void
  useEffect(() => start(), [start])

  const moveTo = (index: number) => {
    const entry = entries[Math.min(Math.max(0, index), entries.length - 1)]
    if (!entry) return
    activate(entry.raw)
    virtual.scrollToIndex(entries.indexOf(entry))
  }
  const find = (letter: string) => {
    const now = performance.now()
    const text = now - typed.current.at < typeAheadMs ? typed.current.text + letter : letter
    typed.current = { text, at: now }
    // The first letter leads on from here; more letters stay as long as the name fits.
    const found = findByTyping(entries, text, activeIndex + (text.length === 1 && active !== undefined ? 1 : 0))
    if (found >= 0) moveTo(found)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.target !== grid.current) return
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 1)
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(active === undefined ? 0 : activeIndex + 1),
      ArrowUp: () => (event.altKey ? props.onUp() : moveTo(activeIndex - 1)),
      Home: () => moveTo(0),
      End: () => moveTo(entries.length - 1),
      PageDown: () => moveTo(activeIndex + page),
      PageUp: () => moveTo(activeIndex - page),
      Enter: () => {
        const entry = entries[activeIndex]
        if (entry) open(entry)
      },
      Backspace: props.onUp,
    }
    const move = moves[event.key] ?? (event.key.length === 1 && !event.altKey ? () => find(event.key) : undefined)
    if (!move) return
    event.preventDefault()
    move()
  }

  return (
    <Grid
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={translate('app.files.list', { path: shownPath(path) })}
      aria-rowcount={entries.length}
      aria-activedescendant={entries.length ? `${id}${activeIndex}` : undefined}
      onKeyDown={onKeyDown}
    >
      {entries.length ? (
        <div role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start: top }) => {
            const entry = entries[index]
            return entry ? (
              <FileRow
                key={entry.raw}
                id={`${id}${index}`}
                index={index}
                top={top}
                entry={entry}
                isActive={index === activeIndex}
                onOpen={open}
                onActivate={activate}
                onDownload={download}
              />
            ) : null
          })}
        </div>
      ) : (
        <div className="empty">{empty}</div>
      )}
    </Grid>
  )
})
