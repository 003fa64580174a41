import { styled } from '@mui/material/styles'
import usePagination from '@mui/material/usePagination'
import { memo, Suspense, useEffect, useId } from 'react'
import { useEvent, useListContext, useLocaleState, useTranslate } from 'react-admin'
import { SkipLink } from '../../components/SkipLink.tsx'
import { sizes } from '../../components/theme/tokens.ts'
import { everyRow } from '../../records/queryRows.ts'
import { type SectionScreen, usePageTitle, useRefusedLists } from '../define/page.tsx'
import { useScreen } from '../define/screen.ts'
import { OrderByHand } from '../order/OrderByHand.tsx'
import { isDialogOpen, textControls } from '../palette/shortcuts.tsx'
import { RetryAlert } from '../parts/ActionDialog.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { RecordTable } from './RecordTable.tsx'
import { RowMenu } from './row/rowParts.tsx'
import { SectionTabs } from './SectionTabs.tsx'
import { BulkBar } from './selection/BulkBar.tsx'
import { fittingSize } from './state/listQuery.ts'
import { useListView, usePageSize } from './state/listView.tsx'

const RecordCards = lazyPart(() => import('./RecordCards.tsx'), { hasTexts: false })
// A phone has them at once: what has suspended stays hidden for a while.
if (window.innerWidth < sizes.narrow) void RecordCards.prepare()

const Frame = styled('div')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '&[data-view=cards]': { background: 'none', border: 'none' },
}))

const Title = styled('h1')(({ theme }) => ({
  margin: theme.spacing(2, 0, 1.5),
  ...theme.typography.h1,
  '& small': {
    marginLeft: theme.spacing(1),
    fontSize: '0.8em',
    fontWeight: 400,
    color: theme.vars.palette.text.secondary,
  },
}))

/** Title, toolbar, rows and page links of a list; rows are cards on narrow screens. */
export function RecordList({ section }: { section: readonly SectionScreen[] }) {
  const { definition, entry, texts, translate } = useScreen()
  const [locale] = useLocaleState()
  const { plural } = texts
  const { data, total, error, isPending } = useListContext()
  const { view, isNarrow } = useListView()
  usePageTitle(plural)
  useListShortcuts()
  if (view === 'wall' && definition.Wall)
    return (
      <Suspense>
        <definition.Wall />
      </Suspense>
    )
  return (
    <section aria-label={plural} aria-busy={isPending}>
      <OrderByHand>
        {total ? <SkipLink onFollow={focusFirstRow}>{translate('app.shell.skip_to_rows')}</SkipLink> : null}
        <Title>
          {plural}
          {total === undefined ? null : <small>{total.toLocaleString(locale)}</small>}
        </Title>
        <SectionTabs section={section} current={entry.path} total={total} />
        {definition.Summary ? <definition.Summary /> : null}
        <ListToolbar isNarrow={isNarrow} hasSheet={view === 'cards'} />
        {/* Rows that are loaded stay on screen when a refresh fails. */}
        {error && data === undefined ? (
          <ListError />
        ) : (
          <RowMenu>
            <Frame data-view={view}>
              {view === 'cards' ? (
                <Suspense fallback={<div style={{ minHeight: '100dvh' }} />}>
                  <RecordCards />
                </Suspense>
              ) : (
                <RecordTable />
              )}
            </Frame>
            <PageLinks />
            {isNarrow ? <BulkBar /> : null}
          </RowMenu>
        )}
      </OrderByHand>
    </section>
  )
}

/** The server's error in place of rows: an empty table would say that there are none. */
function ListError() {
  const { entity } = useScreen()
  const { markRefused } = useRefusedLists()
  const { error, refetch } = useListContext()
  const translate = useTranslate()
  const words = (error as Error | null)?.message
  const isRefused = words === 'permission denied'
  useEffect(() => {
    if (isRefused) markRefused(entity.name)
  }, [isRefused, entity.name, markRefused])
  const message = translate(words || 'app.toast.unexpected')
  return <RetryAlert onRetry={refetch}>{translate('app.list.error', { error: message })}</RetryAlert>
}

const keys = new Set(['/', 'ArrowDown', 'ArrowUp', 'Enter', ' '])

/**
 * The keyboard shortcuts of a list: `/` focuses the search, arrows move between rows and from the search into them, Enter
 * opens a row's record and space selects the row. They do nothing while somebody types or a
 * dialog is open.
 *
 * The focus itself moves, so that a screen reader says the row: it stands on the record's name, or on the row where
 * that leads nowhere.
 */
function useListShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (!keys.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
      const isSearch = target === searchBox()
      // The search for a dialog goes through the whole page: it comes last, and not with every letter of a text.
      if ((!isSearch && target.closest(textControls)) || isDialogOpen()) return
      if (isSearch) {
        if (event.key === 'ArrowDown' && !event.isComposing) moveFocus(event, target)
        return
      }
      if (event.key === '/') {
        event.preventDefault()
        searchBox()?.focus()
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, target)
      else if (event.key === 'Enter' && target.matches('[data-row], [data-row] input')) {
        nameLinkOf(rowOf(target))?.click()
      } else if (event.key === ' ' && target.matches('[data-row], [data-row] a')) {
        event.preventDefault()
        rowOf(target)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const searchBox = () => document.querySelector<HTMLInputElement>('[data-search]')

const rowOf = (element: Element) => element.closest<HTMLElement>('[data-row]')

const nameLinkOf = (row: HTMLElement | null) => row?.querySelector<HTMLElement>('.name-link')

/** The focus on the name in the first row, or on the row where that leads nowhere. */
function focusFirstRow(): void {
  const row = document.querySelector<HTMLElement>('[data-row]')
  if (!row) return
  const target = nameLinkOf(row) ?? row
  if (target === row) row.tabIndex = -1
  target.focus()
}

const focusable = 'a, button, input'

/**
 * To the same control in the row above or below. From outside of the rows to the name in the first row, or in the last
 * one; from the first row back to the search.
 */
function moveFocus(event: KeyboardEvent, from: HTMLElement) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  if (rows.length === 0) return
  const current = rowOf(from)
  const step = event.key === 'ArrowDown' ? 1 : -1
  const row = current ? rows[rows.indexOf(current) + step] : rows.at(step === 1 ? 0 : -1)
  const target = row ? controlLike(from, row) : step === -1 ? searchBox() : undefined
  if (!target) return
  event.preventDefault()
  target.focus()
}

function controlLike(from: HTMLElement, row: HTMLElement): HTMLElement {
  const current = rowOf(from)
  const index = current ? [...current.querySelectorAll(focusable)].indexOf(from) : -1
  const isName = from === nameLinkOf(current)
  const control = isName ? undefined : row.querySelectorAll<HTMLElement>(focusable)[index]
  const found = control ?? nameLinkOf(row) ?? row
  // A row can have the focus only where it says so.
  if (found === row) row.tabIndex = -1
  return found
}

const pageSizes = [10, 20, 50, 100]

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 3),
  padding: theme.spacing(1.5, 0),
  color: theme.vars.palette.text.secondary,
  fontSize: 13,
  '& nav': { marginLeft: 'auto' },
  '& ul': { display: 'flex', flexWrap: 'wrap', gap: 2, margin: 0, padding: 0, listStyle: 'none' },
  '& li > *': {
    display: 'block',
    boxSizing: 'border-box',
    minWidth: 28,
    height: 28,
    padding: '0 6px',
    border: 0,
    borderRadius: 14,
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    lineHeight: '28px',
    textAlign: 'center',
  },
  '& button': { cursor: 'pointer' },
  '& .previous::before': { content: '"‹"', fontSize: 18 },
  '& .next::before': { content: '"›"', fontSize: 18 },
  '& button:hover': { background: theme.vars.palette.action.hover },
  '& button:disabled': { opacity: 0.4, cursor: 'default', background: 'none' },
  '& button[aria-current]': { background: theme.vars.palette.action.selected, fontWeight: 600 },
  '& button:focus-visible, & select:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}` },
  '& select': {
    marginLeft: 8,
    height: 28,
    border: 0,
    borderRadius: 6,
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    cursor: 'pointer',
  },
  [theme.breakpoints.down('sm')]: {
    '& li > *': { minWidth: 44, height: 44, borderRadius: 22, lineHeight: '44px' },
    '& select': { height: 44 },
  },
  '& option': { background: theme.vars.palette.background.paper },
}))

/** Links on each side of the current page: as many as leave an ellipsis as soon as there are more than five pages. */
const neighbours = (pages: number) => (pages <= 5 ? 5 : pages <= 7 ? 0 : 1)

/** Total, links to pages (with ellipses over five) and the number of rows on a page. */
function PageLinks() {
  const { page, perPage, total, setPage, setPerPage } = useListContext()
  const [chosen, rememberSize] = usePageSize()
  const { view, hasSections, fitting } = useListView()
  const { entity } = useScreen()
  const choosePage = useEvent(setPage)
  const chooseSize = useEvent((size: number) => {
    // The address first: saving the size redraws the list, which would still use the old address.
    setPerPage(size)
    rememberSize(size === fittingSize ? undefined : size)
  })
  if (total === undefined) return null
  return (
    <Links
      page={page}
      perPage={chosen === undefined && perPage === fitting ? fittingSize : perPage}
      rows={perPage}
      total={total}
      hasSizes={!hasSections}
      mayShowAll={entity.api.paging === 'whole' && view !== 'cards'}
      onPage={choosePage}
      onSize={chooseSize}
    />
  )
}

interface LinksProps {
  page: number
  /** As it is chosen, and what that comes to. */
  perPage: number
  rows: number
  total: number
  /** Whether their number can be chosen. */
  hasSizes: boolean
  mayShowAll: boolean
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Redrawn only when its numbers change. The browser's own controls cost a tenth of MUI's. */
const Links = memo(function Links(props: LinksProps) {
  const { page, perPage, rows, total, hasSizes, mayShowAll, onPage, onSize } = props
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / rows))
  const others = mayShowAll ? [everyRow.perPage] : []
  const sizes = [...new Set([fittingSize, ...pageSizes, ...others, perPage])].sort((a, b) => a - b)
  const nameOf = (size: number) =>
    size === fittingSize ? translate('app.list.fitting') : size === everyRow.perPage ? translate('app.list.all') : size
  return (
    <Bar>
      <span>{translate('app.list.total', { total: total.toLocaleString(locale) })}</span>
      {hasSizes ? (
        <span>
          <label htmlFor={id}>{translate('app.list.rows_per_page')}</label>
          <select id={id} value={perPage} onChange={(event) => onSize(Number(event.target.value))}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {nameOf(size)}
              </option>
            ))}
          </select>
        </span>
      ) : null}
      {pages > 1 ? <Pages page={page} pages={pages} onPage={onPage} /> : null}
    </Bar>
  )
})

function Pages({ page, pages, onPage }: Pick<LinksProps, 'page' | 'onPage'> & { pages: number }) {
  const translate = useTranslate()
  const { items } = usePagination({
    count: pages,
    page,
    siblingCount: neighbours(pages),
    onChange: (_, target) => onPage(target),
  })
  return (
    <nav aria-label={translate('app.list.pages')}>
      <ul>
        {items.map(({ type, page: target, selected, disabled, onClick }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a link is its place in the row
          <li key={index}>
            {type === 'start-ellipsis' || type === 'end-ellipsis' ? (
              <span>…</span>
            ) : (
              <button
                type="button"
                disabled={disabled}
                aria-current={selected ? 'page' : undefined}
                aria-label={
                  type === 'page' ? translate('app.list.page', { page: target }) : translate(`app.list.${type}_page`)
                }
                onClick={onClick}
              >
                {type === 'page' ? target : <span className={type} />}
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
