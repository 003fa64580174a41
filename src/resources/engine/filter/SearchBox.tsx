import SearchIcon from '@mui/icons-material/Search'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useEffect, useState } from 'react'
import { useDataProvider, useListContext, useListFilterContext, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useScreen } from '../define/screen.ts'

/** The search over all text columns and the names they refer to; `/` leads here from anywhere in the list. */
export function SearchBox() {
  const { filterValues, setFilters } = useListFilterContext()
  const { isPending } = useListContext()
  const translate = useTranslate()
  const applied = String(filterValues.q ?? '')
  const [typed, setTyped] = useState(applied)
  // The address may change by itself: the back button, a named view, "clear filters".
  useEffect(() => setTyped((now) => (now.trim() === applied ? now : applied)), [applied])
  usePreparedSearch(isPending)
  const search = (text: string) => {
    setTyped(text)
    setFilters({ ...filterValues, q: text.trim() || undefined })
  }
  return (
    <OutlinedInput
      value={typed}
      onChange={(event) => search(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed) search('')
      }}
      size="small"
      type="search"
      placeholder={translate('app.list.search')}
      startAdornment={
        <InputAdornment position="start">
          <SearchIcon fontSize="small" />
        </InputAdornment>
      }
      sx={{ width: { xs: '100%', sm: 260 } }}
      slotProps={{
        input: { 'aria-label': translate('app.list.search'), 'aria-keyshortcuts': '/', 'data-search': true } as object,
      }}
    />
  )
}

/**
 * Gathers the words of the rows once they are drawn and nothing else is to be done: the first letter finds them there.
 */
function usePreparedSearch(isPending: boolean | undefined): void {
  const { entity, meta } = useScreen()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  useEffect(() => {
    if (isPending) return
    // A list that cannot be read says so itself; here it only means that there is nothing to prepare.
    const prepare = () => void dataProvider.prepareSearch(entity.name, meta).catch(() => {})
    if (!globalThis.requestIdleCallback) return prepare()
    const handle = requestIdleCallback(prepare, { timeout: 2000 })
    return () => cancelIdleCallback(handle)
  }, [isPending, dataProvider, entity, meta])
}
