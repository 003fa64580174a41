import ClearIcon from '@mui/icons-material/Clear'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useListContext, useListFilterContext, useTranslate } from 'react-admin'
import { useScreen } from '../../define/screen.ts'
import { useToast } from '../../parts/ActionDialog.tsx'
import { LazyMenu } from '../../parts/LazyMenu.tsx'
import type { MenuOption } from '../../parts/menuProps.ts'
import { useMatchingRecords } from '../state/listView.tsx'
import { useBulkActions } from './useBulkActions.ts'

const Bulk = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  [theme.breakpoints.up('md')]: {
    // Over search and filters, whose place it takes: the rows below stay where they are.
    position: 'absolute',
    inset: -2,
    padding: 2,
    zIndex: 1,
    overflowX: 'auto',
    scrollbarWidth: 'thin',
    '&[data-selected=false]': { pointerEvents: 'none' },
    '&[data-selected=true]': { background: theme.vars.palette.background.default },
    '& > *': { flex: 'none' },
  },
  [theme.breakpoints.down('md')]: {
    flexWrap: 'wrap',
    '&[data-selected=false]': { height: 0, overflow: 'hidden' },
    '&[data-selected=true]': {
      position: 'sticky',
      // Above the messages (components/theme/tokens.ts).
      bottom: 'var(--messages-height, 0px)',
      zIndex: theme.zIndex.appBar - 1,
      margin: theme.spacing(1, -2, 0),
      padding: theme.spacing(1, 2),
      background: theme.vars.palette.background.paper,
      borderTop: `1px solid ${theme.vars.palette.divider}`,
    },
  },
}))

/**
 * While rows are selected: how many, and what can be done with them. In place of search and filters, and at the bottom of
 * a narrow screen.
 */
export function BulkBar() {
  const { bulkActions } = useScreen()
  const { selectedIds } = useListContext()
  const isSelected = selectedIds.length > 0
  const bar = useRef<HTMLDivElement>(null)
  if (bulkActions.length === 0) return null
  return (
    <Bulk ref={bar} data-selected={isSelected}>
      <SelectionBar />
      {isSelected ? <BulkButtons bar={bar} /> : null}
    </Bulk>
  )
}

/** How many buttons a tablet has room for, in the language with the longest words. */
const mostButtons = 3

/**
 * The first and the last action are always buttons; the others are in a menu where they do not fit beside them: on a tablet,
 * and where the words of the language are too long for the window.
 */
function BulkButtons({ bar }: { bar: RefObject<HTMLDivElement | null> }) {
  const { translate } = useScreen()
  const actions = useBulkActions()
  const isWide = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true })
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [isTight, setTight] = useState(false)
  useLayoutEffect(() => {
    if (bar.current && bar.current.scrollWidth > bar.current.clientWidth) setTight(true)
  }, [bar])
  if ((isWide && !isTight) || actions.length <= mostButtons) return actions.map(toButton)
  return (
    <>
      {actions.slice(0, 1).map(toButton)}
      <Button
        variant="outlined"
        color="inherit"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.list.more_actions')}
      </Button>
      <LazyMenu anchor={anchor} options={actions.slice(1, -1)} onClose={() => setAnchor(undefined)} />
      {actions.slice(-1).map(toButton)}
    </>
  )
}

const toButton = ({ key, label, isDangerous, onSelect }: MenuOption) => (
  <Button key={key} variant="outlined" color={isDangerous ? 'error' : 'inherit'} onClick={onSelect}>
    {label}
  </Button>
)

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(0.5),
  minHeight: 32,
  fontSize: 14,
  whiteSpace: 'nowrap',
}))

/** How many rows are selected, and buttons to select all that match and to clear the selection. */
function SelectionBar() {
  const { data = [], selectedIds, total = 0, filterValues, onSelect, onUnselectItems } = useListContext()
  const { filterValues: requested } = useListFilterContext()
  const translate = useTranslate()
  const matching = useMatchingRecords()
  const toast = useToast()
  const filter = JSON.stringify([requested, filterValues])
  const seen = useRef(filter)
  // What a new filter hides must not stay selected for a deletion: neither rows that were ticked before it was set, nor
  // rows that were ticked while the list still showed the old ones.
  useEffect(() => {
    if (seen.current !== filter) onUnselectItems()
    seen.current = filter
  }, [filter, onUnselectItems])
  const count = selectedIds.length
  const wholePage = data.length > 0 && data.every(({ id }) => selectedIds.includes(id))
  return (
    <Bar>
      <span role="status">{count > 0 ? translate('app.list.selected', { smart_count: count }) : null}</span>
      {count > 0 ? (
        <IconButton
          aria-label={translate('app.list.clear_selection')}
          title={translate('app.list.clear_selection')}
          onClick={() => onUnselectItems()}
        >
          <ClearIcon fontSize="small" />
        </IconButton>
      ) : null}
      {wholePage && count < total ? (
        <Button onClick={() => matching().then((rows) => onSelect(rows.map(({ id }) => id)), toast.showError)}>
          {translate('app.list.select_matching', { smart_count: total })}
        </Button>
      ) : null}
    </Bar>
  )
}
