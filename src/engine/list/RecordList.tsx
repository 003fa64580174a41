import { styled } from '@mui/material/styles'
import { Suspense, useEffect } from 'react'
import { useListContext, useLocaleState, useTranslate } from 'react-admin'
import { SkipLink } from '../../components/SkipLink.tsx'
import { sizes } from '../../components/theme/tokens.ts'
import { type SectionScreen, usePageTitle } from '../define/page.ts'
import { useRefusedLists } from '../define/rights.tsx'
import { useScreen } from '../define/screen.ts'
import { OrderByHand } from '../order/OrderByHand.tsx'
import { isDialogOpen, textControls } from '../palette/shortcuts.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { RetryAlert } from '../parts/RetryAlert.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { PageLinks } from './PageLinks.tsx'
import { RecordTable } from './RecordTable.tsx'
import { RowMenu } from './row/rowParts.tsx'
import { SectionTabs } from './SectionTabs.tsx'
import { BulkBar } from './selection/BulkBar.tsx'
import { useListView } from './state/listView.tsx'

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
