import { useEffect, useState } from 'react'
import { useDataProvider, useListContext, useListFilterContext, useTranslate } from 'react-admin'
import { SearchInput } from '../../components/inputs/SearchInput.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { whenIdle } from '../../events/whenIdle.ts'
import { useScreen } from '../define/screen.ts'

/** Searches all text fields and the names of referenced records. `/` moves the focus here from anywhere in the list. */
export function SearchBox() {
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
