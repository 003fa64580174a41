import useMediaQuery from '@mui/material/useMediaQuery'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { useLocation, useStore } from 'react-admin'
import type { Resource } from '../../define/defineResource.ts'
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
