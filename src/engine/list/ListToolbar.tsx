import FilterIcon from '@mui/icons-material/FilterList'
import RefreshIcon from '@mui/icons-material/Refresh'
import SortIcon from '@mui/icons-material/SwapVert'
import TuneIcon from '@mui/icons-material/Tune'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { memo, Suspense, use, useEffect, useState } from 'react'
import { useDataProvider, useListContext, useListFilterContext, useRefresh, useTranslate } from 'react-admin'
import { SearchInput } from '../../components/inputs/SearchInput.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { whenIdle } from '../../events/whenIdle.ts'
import type { Filter } from '../define/defineResource.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { useScreen } from '../define/screen.ts'
import { type FilterField, useFilterFields } from '../filter/filterFields.ts'
import { cells } from '../kinds/cells.tsx'
import { RecordName } from '../kinds/reference/useNames.tsx'
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

const FilterPanel = lazyPart(() => import('../filter/FilterPanel.tsx'))

/** The value of a filter of its own, in words. */
function OwnFilterText({ filter: { to, words, wordOf }, value }: { filter: Filter; value: string }) {
  const { language } = useScreen()
  if (to) return <RecordName to={to} id={value} />
  const key = words?.[value]
  return key ? language.translate(key) : (wordOf?.(value, language) ?? value)
}

/** The active filters as chips, and the button that opens the filter panel. */
function FilterBar() {
  const { filterValues, setFilters } = useListFilterContext()
  const translate = useTranslate()
  const fields = useFilterFields()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const active = fields.filter(({ source }) => filterValues[source] !== undefined)
  const isNarrowed = active.length > 0 || Boolean(filterValues.q)
  const clear = (source: string) => setFilters({ ...filterValues, [source]: undefined })
  if (fields.length === 0) return null
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<FilterIcon fontSize="small" />}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.list.filters')}
      </Button>
      {active.map((field) => (
        <FilterChip
          key={field.source}
          field={field}
          value={filterValues[field.source]}
          onClear={() => clear(field.source)}
        />
      ))}
      {/* Always on the page: creating its styles would delay the first letter of a search. */}
      <Button style={isNarrowed ? undefined : { display: 'none' }} onClick={() => setFilters({})}>
        {translate('app.list.clear_filters')}
      </Button>
      {anchor ? (
        <Suspense>
          <FilterPanel anchor={anchor} fields={fields} onClose={() => setAnchor(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}

interface FilterChipProps {
  field: FilterField
  value: unknown
  onClear: () => void
}

function FilterChip({ field: { label, field, own }, value, onClear }: FilterChipProps) {
  const { entity } = useScreen()
  const text = String(value)
  const FilterText = field && cells[field.kind].FilterText
  const words = FilterText ? (
    <FilterText value={text} entity={entity.name} field={field} />
  ) : own ? (
    <OwnFilterText filter={own} value={text} />
  ) : (
    text
  )
  return (
    <Chip
      size="small"
      label={
        <>
          {label}: {words}
        </>
      }
      onDelete={onClear}
    />
  )
}
