import Button from '@mui/material/Button'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useEvent, useTranslate } from 'react-admin'
import type { FileActions } from '../manage/useFileActions.ts'
import type { Selection } from '../manage/useSelection.ts'
import {
  type Entry,
  findByTyping,
  type Items,
  type RawPath,
  type Sorting,
  type SortKey,
  shownPath,
  sortKeys,
} from '../transfer/remotePath.ts'
import { FileRow, Grid, Header } from './FileRow.tsx'

/** Pixels. */
const rowHeight = 32
/** Letters typed within this time belong together, in ms. */
const typeAheadMs = 1_000

/** What a list is given where files can be managed. */
export interface Managed {
  items: Items
  selection: Selection
  actions: FileActions
}

interface FileListProps {
  /** The folder. */
  path: RawPath
  entries: readonly Entry[]
  /** Shown when there are no entries. */
  empty: ReactNode
  /** The active entry, which keys apply to. */
  active: RawPath | undefined
  managed: Managed | undefined
  onActivate: (raw: RawPath) => void
  onOpen: (entry: Entry) => void
  onUp: () => void
  onRefresh: () => void
  /** Files of the desktop were pasted. */
  onReceive: (files: DataTransfer) => void
  onDownload: (entry: Entry) => void
}

/** The entries of a folder, with the keys of a file manager. Only the rows in view are there. */
export const FileList = memo(function FileList(props: FileListProps) {
  const { path, entries, empty, active, managed } = props
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
  const open = useEvent(props.onOpen)
  const download = useEvent(props.onDownload)
  const activate = useEvent(props.onActivate)
  const select = useEvent((raw: RawPath, isRange: boolean) => {
    if (isRange) managed?.selection.extendTo(raw, entries, active)
    else managed?.selection.toggle(raw)
    activate(raw)
  })

  // A folder that has just been opened takes the keys as soon as it is seen, unless somebody is typing elsewhere.
  const start = useEvent(() => {
    virtual.scrollToIndex(activeIndex)
    if (!document.activeElement?.matches('input, textarea')) grid.current?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => start(), [start])

  const moveTo = (index: number, isRange = false) => {
    const entry = entries[Math.min(Math.max(0, index), entries.length - 1)]
    if (!entry) return
    if (isRange) managed?.selection.extendTo(entry.raw, entries, active)
    activate(entry.raw)
    virtual.scrollToIndex(entries.indexOf(entry))
  }
  const find = ({ key: letter, timeStamp: at }: KeyboardEvent) => {
    // When the key was pressed: a busy page may handle it later.
    const text = at - typed.current.at < typeAheadMs ? typed.current.text + letter : letter
    typed.current = { text, at }
    // The first letter leads on from here; more letters stay as long as the name fits.
    const found = findByTyping(entries, text, activeIndex + (text.length === 1 && active !== undefined ? 1 : 0))
    if (found >= 0) moveTo(found)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== grid.current) return
    // Any other key ends a name that is being typed; Shift may be part of one.
    if (event.key.length > 1 && event.key !== 'Shift') typed.current = { text: '', at: 0 }
    if (managed?.actions.onKey(event)) return event.preventDefault()
    if (event.ctrlKey || event.metaKey) return
    const isRange = event.shiftKey
    const current = entries[activeIndex]
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 1)
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(active === undefined ? 0 : activeIndex + 1, isRange),
      ArrowUp: () => (event.altKey ? props.onUp() : moveTo(activeIndex - 1, isRange)),
      Home: () => moveTo(0, isRange),
      End: () => moveTo(entries.length - 1, isRange),
      PageDown: () => moveTo(activeIndex + page, isRange),
      PageUp: () => moveTo(activeIndex - page, isRange),
      Enter: () => {
        if (current) open(current)
      },
      Backspace: props.onUp,
      F5: props.onRefresh,
      ...(managed && current && { ' ': () => managed.selection.toggle(current.raw) }),
    }
    const move = moves[event.key] ?? (event.key.length === 1 && !event.altKey ? () => find(event) : undefined)
    if (!move) return
    event.preventDefault()
    move()
  }

  useClipboard(grid, managed?.actions, props.onReceive)
  const hasSelection = managed !== undefined && !managed.selection.isEmpty

  return (
    <Grid
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={translate('app.files.list', { path: shownPath(path) })}
      aria-rowcount={entries.length}
      aria-activedescendant={entries.length ? `${id}${activeIndex}` : undefined}
      aria-multiselectable={managed !== undefined}
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
                item={managed?.items.get(entry.raw)}
                selected={managed && (hasSelection ? managed.selection.has(entry.raw) : 'none')}
                onSelect={select}
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

/** Ctrl-C, Ctrl-X and Ctrl-V while the list has the focus: files of the desktop, else what was copied or cut here. */
function useClipboard(
  grid: RefObject<HTMLElement | null>,
  actions: FileActions | undefined,
  onReceive: (files: DataTransfer) => void,
): void {
  const handle = useEvent((event: ClipboardEvent) => {
    if (document.activeElement !== grid.current) return
    if (event.type !== 'paste') return actions?.onHold(event, event.type === 'cut' ? 'move' : 'copy')
    event.preventDefault()
    if (event.clipboardData?.types.includes('Files')) onReceive(event.clipboardData)
    else actions?.paste()
  })
  useEffect(() => {
    const types = ['copy', 'cut', 'paste'] as const
    // On the document: browsers send these events to where text was selected last, and not to what has the focus.
    for (const type of types) document.addEventListener(type, handle)
    return () => {
      for (const type of types) document.removeEventListener(type, handle)
    }
  }, [handle])
}

interface FileHeaderProps {
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  /** Whether all entries are selected, and some of them. */
  isAll: boolean
  isSome: boolean
  onAll: (selects: boolean) => void
}

/** The names of the columns, which sort; the box selects everything. */
export function FileHeader({ sorting, onSort, isAll, isSome, onAll }: FileHeaderProps) {
  const translate = useTranslate()
  const sort = (key: SortKey) => {
    const isSame = sorting.key === key
    // The largest and the newest are what one looks for.
    const isDescending = isSame ? !sorting.isDescending : key === 'size' || key === 'modified'
    onSort({ key, isDescending })
  }
  return (
    <Header>
      <input
        type="checkbox"
        aria-label={translate('app.files.manage.select_all')}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = isSome && !isAll
        }}
        onChange={({ target }) => onAll(target.checked)}
      />
      {sortKeys.map((key) => {
        const arrow = sorting.key === key ? (sorting.isDescending ? '↓' : '↑') : ''
        const label = translate(`app.files.manage.columns.${key}`)
        const order =
          arrow && translate(sorting.isDescending ? 'app.files.manage.descending' : 'app.files.manage.ascending')
        return (
          <button
            key={key}
            type="button"
            className={key}
            aria-label={order ? `${label}, ${order}` : label}
            onClick={() => sort(key)}
          >
            {label} {arrow}
          </button>
        )
      })}
      <span className="end" />
    </Header>
  )
}

interface EmptyFolderProps {
  /** What is typed to narrow the list. */
  filter: string
  /** Whether there is something that is not shown. */
  hasHidden: boolean
  onClearFilter: () => void
  onShowHidden: () => void
}

/** Why no entries are there, and the way to some. */
export function EmptyFolder({ filter, hasHidden, onClearFilter, onShowHidden }: EmptyFolderProps) {
  const translate = useTranslate()
  if (filter) {
    return (
      <>
        <div role="status">{translate('app.files.nothing_found', { text: filter })}</div>
        <Button onClick={onClearFilter}>{translate('app.list.clear_filters')}</Button>
      </>
    )
  }
  if (!hasHidden) return <div role="status">{translate('app.files.empty')}</div>
  return (
    <>
      <div role="status">{translate('app.files.only_hidden')}</div>
      <Button onClick={onShowHidden}>{translate('app.files.show_hidden')}</Button>
    </>
  )
}
