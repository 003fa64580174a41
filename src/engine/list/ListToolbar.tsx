import RefreshIcon from '@mui/icons-material/Refresh'
import SortIcon from '@mui/icons-material/SwapVert'
import TuneIcon from '@mui/icons-material/Tune'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { memo, Suspense, useState } from 'react'
import { useRefresh, useTranslate } from 'react-admin'
import { CreateButton } from '../actions/CreateButton.tsx'
import { useScreen } from '../define/screen.ts'
import { FilterBar } from '../filter/FilterBar.tsx'
import { SearchBox } from '../filter/SearchBox.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { BulkBar } from './selection/BulkBar.tsx'

const ListMenu = lazyPart(() => import('./ListMenu.tsx'))
const ListSheet = lazyPart(() => import('./sort/ListSheet.tsx'))

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  marginBottom: theme.spacing(1),
  '& .gap': { flex: 1 },
}))

/**
 * Search, filters and (where there is room) bulk actions at the left; what concerns the list as a whole, and Create, at
 * the right. Its parts subscribe to the list where they need it; the rest is not redrawn when rows change.
 */
export const ListToolbar = memo(function ListToolbar({ isNarrow }: { isNarrow: boolean }) {
  const { canSelect, definition, entity } = useScreen()
  const refresh = useRefresh()
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { paging, filters } = entity.api
  const isSearched = paging === 'whole' || 'q' in (filters?.shape ?? {})
  return (
    <Bar role="toolbar" aria-label={translate('app.list.tools')}>
      {isSearched ? (
        <>
          <SearchBox />
          <FilterBar />
        </>
      ) : null}
      {isNarrow ? null : <BulkBar />}
      <span className="gap" />
      {isNarrow && (canSelect || paging === 'whole') ? (
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
      {isNarrow && isSheetOpen ? (
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
