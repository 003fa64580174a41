import RefreshIcon from '@mui/icons-material/Refresh'
import SortIcon from '@mui/icons-material/SwapVert'
import TuneIcon from '@mui/icons-material/Tune'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { memo, Suspense, use, useEffect, useState } from 'react'
import { useDataProvider, useListContext, useListFilterContext, useRefresh, useTranslate } from 'react-admin'
import { SearchInput } from '../../components/inputs/SearchInput.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { whenIdle } from '../../events/whenIdle.ts'
import { AnnouncedFeaturesContext } from '../define/rights.tsx'
import { useScreen } from '../define/screen.ts'
import { FilterBar } from '../filter/FilterBar.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { CreateButton } from './EmptyList.tsx'
import { BulkBar } from './selection/BulkBar.tsx'

const ListMenu = lazyPart(() => import('./ListMenu.tsx'))
const ListSheet = lazyPart(() => import('./sort/ListSheet.tsx'))

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  marginBottom: theme.spacing(1),
  '& .gap': { flex: 1, [theme.breakpoints.up('md')]: { display: 'none' } },
}))

const Left = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: '1 1 0',
  minWidth: 0,
  minHeight: 36,
  '& > .tools': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) },
  // They have the focus by a key while the bar of the selection is over them.
  '& > .tools:focus-within': { position: 'relative', zIndex: 2, background: theme.vars.palette.background.default },
  // On a narrow screen all tools are one row, which wraps.
  [theme.breakpoints.down('md')]: { '&, & > .tools': { display: 'contents' } },
}))

interface ListToolbarProps {
  isNarrow: boolean
  /** Whether there are no headings that sort and select. */
  hasSheet: boolean
}

/**
 * Search and filters at the left, or what can be done with the selected rows; what concerns the list as a whole, and
 * Create, at the right. Its parts subscribe to the list where they need it; the rest is not redrawn when rows change.
 */
export const ListToolbar = memo(function ListToolbar({ isNarrow, hasSheet }: ListToolbarProps) {
  const { canSelect, definition, entity } = useScreen()
  const refresh = useRefresh()
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { paging, filters, filtersAnnounced } = entity.api
  const announced = use(AnnouncedFeaturesContext)
  const isFiltered = filtersAnnounced === undefined || announced?.has(filtersAnnounced)
  const isSearched = paging === 'whole' || (isFiltered && 'q' in (filters?.shape ?? {}))
  return (
    <Bar role="toolbar" aria-label={translate('app.list.tools')}>
      <Left>
        {isSearched ? (
          <div className="tools">
            <SearchBox />
            <FilterBar />
          </div>
        ) : null}
        {isNarrow ? null : <BulkBar />}
      </Left>
      <span className="gap" />
      {hasSheet && (canSelect || paging === 'whole') ? (
        <IconButton
          aria-label={translate('app.list.sort_and_select')}
          title={translate('app.list.sort_and_select')}
          aria-haspopup="dialog"
          onClick={() => setSheetOpen(true)}
        >
          <SortIcon fontSize="small" />
        </IconButton>
      ) : null}
      <IconButton
        aria-label={translate('app.list.refresh')}
        title={translate('app.list.refresh')}
        onClick={() => refresh()}
      >
        <RefreshIcon fontSize="small" />
      </IconButton>
      <IconButton
        aria-label={translate('app.list.view')}
        title={translate('app.list.view')}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <TuneIcon fontSize="small" />
      </IconButton>
      {definition.toolbar.map((Tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a definition's tools never change their order
        <Tool key={index} />
      ))}
      <CreateButton />
      {hasSheet && isSheetOpen ? (
        <Suspense>
          <ListSheet onClose={() => setSheetOpen(false)} />
        </Suspense>
      ) : null}
      {anchor ? (
        <Suspense>
          <ListMenu anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      ) : null}
    </Bar>
  )
})

/** Searches all text fields and the names of referenced records. `/` moves the focus here from anywhere in the list. */
function SearchBox() {
  const { filterValues, setFilters } = useListFilterContext()
  const { isPending } = useListContext()
  const translate = useTranslate()
  const applied = String(filterValues.q ?? '')
  const [typed, setTyped] = useState(applied)
  // The address also changes by the back button, a saved view or "Clear filters".
  useEffect(() => setTyped((now) => (now.trim() === applied ? now : applied)), [applied])
  usePreparedSearch(isPending)
  const search = (text: string) => {
    setTyped(text)
    setFilters({ ...filterValues, q: text.trim() || undefined })
  }
  return (
    <SearchInput
      value={typed}
      onChange={search}
      label={translate('app.list.search')}
      sx={{ width: { xs: '100%', sm: 260 } }}
      attributes={{ 'aria-keyshortcuts': '/', 'data-search': true }}
    />
  )
}

/**
 * Collects the words of all rows while the browser is idle, so that the first letter of a search finds them ready.
 */
function usePreparedSearch(isPending: boolean | undefined): void {
  const { entity, meta } = useScreen()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  useEffect(() => {
    if (isPending) return
    // The list itself shows that it cannot be read; here there is nothing to prepare.
    const prepare = () => void dataProvider.prepareSearch(entity.name, meta).catch(() => {})
    return whenIdle(prepare)
  }, [isPending, dataProvider, entity, meta])
}
