import { styled } from '@mui/material/styles'
import { type MouseEvent, memo } from 'react'
import { useTranslate } from 'react-admin'
import { formatBytes, formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { IconAction, LineIcon } from '../../../engine/parts/LineIcon.tsx'
import type { FileItem } from '../../../schemas/inspect/files.ts'
import { type Entry, type RawPath, symbolicMode } from '../transfer/remotePath.ts'

const FolderIcon = () => (
  <LineIcon>
    <path d="M1.5 4.5v8a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3H2.5a1 1 0 0 0-1 1.5z" />
  </LineIcon>
)

const FileIcon = () => (
  <LineIcon>
    <path d="M9 1.5H4a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V5.5zM9 1.5v4h4" />
  </LineIcon>
)

const DownloadIcon = () => (
  <LineIcon>
    <path d="M8 2v8.5M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11" />
  </LineIcon>
)

interface FileRowProps {
  id: string
  /** Its place in the list, from 0. */
  index: number
  /** Pixels from the top of the list. */
  top: number
  entry: Entry
  isActive: boolean
  /** What is known about it. */
  item: FileItem | undefined
  /** Whether it is selected; `none`: nothing is. Left out where files cannot be managed. */
  selected: boolean | 'none' | undefined
  /** Ctrl or Shift is held, or its box was clicked. */
  onSelect: (raw: RawPath, isRange: boolean) => void
  onOpen: (entry: Entry) => void
  onActivate: (raw: RawPath) => void
  onDownload: (entry: Entry) => void
}

/** One entry. The list handles the keys; only the active row has its button in the tab order. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { id, index, top, entry, isActive, item, selected, onOpen, onActivate, onSelect, onDownload } = props
  const translate = useTranslate()
  const isManaged = selected !== undefined
  const onClick = (event: MouseEvent) => {
    if (isManaged && (event.ctrlKey || event.metaKey || event.shiftKey)) return onSelect(entry.raw, event.shiftKey)
    onActivate(entry.raw)
    onOpen(entry)
  }
  return (
    <Row
      id={id}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={typeof selected === 'boolean' ? selected : isActive}
      data-active={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
    >
      {isManaged ? (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={translate('app.files.manage.select_named', { name: entry.name })}
          checked={selected === true}
          onClick={(event) => {
            event.stopPropagation()
            onSelect(entry.raw, event.shiftKey)
          }}
          // Its state comes with the click, which knows of Shift.
          onChange={() => {}}
        />
      ) : null}
      <Cell role="gridcell" className="name" data-folder={entry.isFolder} title={entry.name}>
        {entry.isFolder ? <FolderIcon /> : <FileIcon />}
        <span className="visually-hidden">{translate(entry.isFolder ? 'app.files.folder' : 'app.files.file')} </span>
        <span>{entry.name}</span>
      </Cell>
      {isManaged ? <ItemCells item={item} /> : null}
      {entry.isFolder && !isManaged ? null : (
        <Cell role="gridcell">
          <IconAction
            type="button"
            tabIndex={isActive ? 0 : -1}
            aria-label={translate('app.files.download_named', { name: entry.name })}
            title={translate('app.files.download')}
            onClick={(event) => {
              event.stopPropagation()
              onActivate(entry.raw)
              onDownload(entry)
            }}
          >
            <DownloadIcon />
          </IconAction>
        </Cell>
      )}
    </Row>
  )
})

/** Size, date, owner and rights. */
function ItemCells({ item }: { item: FileItem | undefined }) {
  const { locale } = useLanguage()
  const modified = item?.modified ? Date.parse(item.modified) : undefined
  const mode = item ? symbolicMode(item.mode) : ''
  const owner = item ? `${item.owner}:${item.group}` : ''
  return (
    <>
      <Cell role="gridcell" className="size" title={item?.kind === 'file' ? String(item.size) : undefined}>
        {item?.kind === 'file' ? formatBytes(item.size, locale) : ''}
      </Cell>
      <Cell role="gridcell" className="modified" title={item?.modified}>
        {modified === undefined ? '' : formatDateTime(modified, locale, 'short')}
      </Cell>
      <Cell role="gridcell" className="owner" title={owner}>
        {owner}
      </Cell>
      <Cell role="gridcell" className="mode" title={item?.mode}>
        {mode}
      </Cell>
    </>
  )
}

/** The list: plain elements, for a screenful of MUI components would cost more than the names. */
export const Grid = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  fontSize: 13,
  // Inside the edge of the list: a ring around it would be covered by its neighbours.
  '&&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '& > [role=presentation]': { position: 'relative' },
  '& > .empty': { padding: '32px 16px', textAlign: 'center', color: theme.vars.palette.text.secondary },
}))

/** Widths of the columns, and from which width of the list on they are there. */
const columns = {
  '& > .size': { flex: 'none', width: 76, textAlign: 'end' },
  '& > .modified': { flex: 'none', width: 148, display: 'none' },
  '& > .owner': { flex: 'none', width: 110, display: 'none' },
  '& > .mode': { flex: 'none', width: 84, display: 'none' },
  '@container files (min-width: 500px)': { '& > .modified': { display: 'block' } },
  '@container files (min-width: 660px)': { '& > .owner': { display: 'block' } },
  '@container files (min-width: 760px)': { '& > .mode': { display: 'block' } },
} as const

const box = (color: string) => ({
  '& > input[type=checkbox]': { flex: 'none', width: 16, height: 16, margin: 0, accentColor: color },
  // For fingers.
  '@media (pointer: coarse)': { '& > input[type=checkbox]': { width: 24, height: 24 } },
})

/** The names of the columns. */
export const Header = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'flex',
    alignItems: 'center',
    flex: 'none',
    gap: 8,
    height: 28,
    paddingInline: '12px 4px',
    fontSize: 12,
    borderBottom: `1px solid ${palette.divider}`,
    ...box(palette.primary.main),
    '& > button': {
      all: 'unset',
      boxSizing: 'border-box',
      flex: 1,
      minWidth: 0,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      cursor: 'pointer',
      color: palette.text.secondary,
      '&:hover': { color: palette.text.primary },
      '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    },
    '& > .end': { flex: 'none', width: 28 },
    ...columns,
  }
})

const Row = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    position: 'absolute',
    top: 0,
    left: 0,
    right: 0,
    display: 'flex',
    alignItems: 'center',
    height: 32,
    paddingInline: '12px 4px',
    cursor: 'pointer',
    '&:hover': { background: palette.sunken },
    '&[aria-selected=true]': { background: palette.action.selected },
    '&[data-active=true]': { boxShadow: `inset 2px 0 ${palette.primary.main}` },
    gap: 8,
    ...box(palette.primary.main),
    ...columns,
    '& > .size, & > .modified, & > .owner, & > .mode': {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontSize: 12,
      fontVariantNumeric: 'tabular-nums',
      color: palette.text.secondary,
    },
    '& > .mode': { ...columns['& > .mode'], fontFamily: 'var(--mono)' },
    '& > .end': { flex: 'none', width: 28 },
    '& > .name': { display: 'flex', alignItems: 'center', gap: 8, flex: 1, minWidth: 0 },
    '& > .name > svg': { flex: 'none', color: palette.text.secondary },
    '& > .name[data-folder=true] > svg': { color: palette.primary.main },
    '& > .name > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre' },
    '& button': { width: 28, height: 28 },
    '& button svg': { width: 16, height: 16, fill: 'none' },
  }
})

const Cell = styled('span')({})
