import useMediaQuery from '@mui/material/useMediaQuery'
import { createContext, type ReactNode, use, useMemo } from 'react'
import {
  type ListControllerResult,
  type RaRecord,
  type SortPayload,
  useDataProvider,
  useListContext,
  useLocation,
  useStore,
} from 'react-admin'
import { everyRow } from '../../../records/queryRows.ts'
import type { Column, Resource } from '../../define/defineResource.ts'
import { useScreen } from '../../define/screen.ts'
import { useFittingRows } from './listQuery.ts'

/** How a list shows its records; `wall` is for a screen that nobody touches, where the definition has one. */
export type ListView = 'table' | 'cards' | 'wall'

interface ShownView {
  view: ListView
  /** Whether there is no room for a table. */
  isNarrow: boolean
  /** Whether the rows of the table stand below headings of their groups. */
  hasSections: boolean
  /** How many rows or cards fill the window. */
  fitting: number
}

const ListViewContext = createContext<ShownView>({ view: 'table', isNarrow: false, hasSections: false, fitting: 10 })

/** How the list around shows its records. */
export const useListView = (): ShownView => use(ListViewContext)

/** What this person chose for when the address does not say. */
export const useChosenView = (entity: string) => useStore<ListView>(`table.${entity}.view`, 'table')

export const useChosenSections = (entity: string) => useStore(`table.${entity}.sections`, false)

/** Reads the view from the address, `?view=cards`. Apart from the list, which is drawn when the view changes, and not the address. */
export function ListViewProvider({ definition, children }: { definition: Resource; children: ReactNode }) {
  const { entity, Wall, sections } = definition
  const asked = new URLSearchParams(useLocation().search).get('view')
  const [chosen] = useChosenView(entity.name)
  const [isSectioned] = useChosenSections(entity.name)
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'), { noSsr: true })
  const wanted = asked === 'table' || asked === 'cards' ? asked : chosen
  const view = asked === 'wall' && Wall ? asked : isNarrow ? 'cards' : wanted
  const hasSections = isSectioned && sections !== undefined && view === 'table'
  const [isDense] = useStore('table.dense', false)
  const fitting = useFittingRows(view === 'cards', isDense)
  const value = useMemo(() => ({ view, isNarrow, hasSections, fitting }), [view, isNarrow, hasSections, fitting])
  return <ListViewContext value={value}>{children}</ListViewContext>
}

/** Gets all records that match the search and filters of the rows on screen, on every page and in their order. */
export function useMatchingRecords(): () => Promise<RaRecord[]> {
  const { entity, meta } = useScreen()
  const { filterValues: filter, sort, total = 0 } = useListContext()
  const dataProvider = useDataProvider()
  return async () => {
    const pagination = entity.api.paging === 'whole' ? everyRow : { page: 1, perPage: total }
    const params = { filter, sort, pagination, meta }
    return total === 0 ? [] : (await dataProvider.getList<RaRecord>(entity.name, params)).data
  }
}

const nothing = {}

/** A person's choices about a list, saved in this browser: columns and row height. */
export function useTableChoices() {
  const { columns: all, entity } = useScreen()
  const [choices, setChoices] = useStore<Readonly<Record<string, boolean>>>(`table.${entity.name}.columns`, nothing)
  // What people chose when every column was shown at first: the hidden ones. It is read and never written.
  const [hiddenBefore] = useStore<readonly string[] | undefined>(`table.${entity.name}.hidden`)
  // The same array while the choice is the same: rows are drawn anew when their columns change.
  const columns: readonly Column[] = useMemo(
    () => all.filter((column) => isShown(column, choices, hiddenBefore)),
    [all, choices, hiddenBefore],
  )
  const [isDense, setDense] = useStore('table.dense', false)
  return {
    columns,
    isDense,
    setDense,
    showColumn: (source: string, shown: boolean) => setChoices({ ...choices, [source]: shown }),
  }
}

function isShown(
  { source, hidden }: Column,
  choices: Readonly<Record<string, boolean>>,
  hiddenBefore: readonly string[] | undefined,
): boolean {
  const chosen = choices[source]
  if (chosen !== undefined) return chosen
  return hiddenBefore ? hidden !== 'always' && !hiddenBefore.includes(source) : !hidden
}

/** The narrowest and the widest that a column can be made, in pixels. */
export const columnWidths = { min: 48, max: 800 } as const

/** The widths that a person gave to columns of a list, by source, in pixels; others are as wide as what they show. */
export function useColumnWidths() {
  const { entity } = useScreen()
  const [widths, setWidths] = useStore<Readonly<Record<string, number>>>(`table.${entity.name}.widths`, nothing)
  return {
    widths,
    /** @param width `undefined` makes it as wide as what it shows */
    setWidth: (source: string, width: number | undefined) => {
      const { [source]: _, ...others } = widths
      const { min, max } = columnWidths
      setWidths(width === undefined ? others : { ...others, [source]: Math.min(max, Math.max(min, Math.round(width))) })
    },
  }
}

/** Rows per page that this person chose, for lists whose address does not say; without a choice as many as fill the window. */
export const usePageSize = () => useStore<number | undefined>('table.pageSize')

/**
 * The order in which a list stands when its address does not say: what this person chose last, and the definition's
 * before the first choice.
 */
export const useChosenSort = ({ entity, sort }: Pick<Resource, 'entity' | 'sort'>) =>
  useStore<SortPayload>(`table.${entity.name}.sort`, sort)

/**
 * An empty list context: actions remove changed records from the selection of a list, and a page, or a form over another one, has no list.
 * React-admin's `useList` would do the same, but add its exporter to the first load.
 */
export const noList = {
  data: [],
  total: 0,
  error: null,
  isPending: false,
  selectedIds: [],
  onSelect: () => {},
  filterValues: {},
} satisfies Partial<ListControllerResult> as Partial<ListControllerResult> as ListControllerResult
