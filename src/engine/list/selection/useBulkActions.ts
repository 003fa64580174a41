import { type RaRecord, useDataProvider, useEvent, useListContext, useNotify } from 'react-admin'
import { mayOn } from '../../../schemas/define/access.ts'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import { type BulkAction, rightFor } from '../../define/action.ts'
import { useScreen } from '../../define/screen.ts'
import { useToast } from '../../parts/ActionDialog.tsx'
import type { MenuOption } from '../../parts/menuProps.ts'
import { useMatchingRecords } from '../state/listView.tsx'

/** What this person may do with all selected rows at once, in the order of the definition. */
export function useBulkActions(): MenuOption[] {
  const { bulkActions, texts, translate } = useScreen()
  const tryTo = useBulkAction()
  return bulkActions.map((action) => ({
    key: typeof action === 'string' ? action : action.action,
    label:
      typeof action === 'string' ? translate(`app.action.${action}_selected`) : texts.action(action.action, 'label'),
    isDangerous: action === 'delete',
    onSelect: () => tryTo(action),
  }))
}

/** Starts an action for the selected rows. Without a selection it says that rows have to be selected first. */
function useBulkAction(): (action: BulkAction) => void {
  const { isProtected, texts } = useScreen()
  const { selectedIds } = useListContext()
  const selectedRecords = useSelectedRecords()
  const filteredOut = useFilteredOut()
  const toast = useToast()
  const start = useStartAction()
  const notify = useNotify()
  const press = async (action: BulkAction) => {
    const nothingSelected = typeof action === 'string' ? undefined : texts.actionNothing(action.action)
    if (selectedIds.length === 0) return notify(nothingSelected ?? 'app.list.nothing_selected', { type: 'error' })
    const records = await selectedRecords()
    // The preview of an edit says which ones it leaves out.
    if (action !== 'edit' && !records.every((record) => mayOn(record, rightFor(action)))) {
      return notify('app.list.read_only_selected', { type: 'error' })
    }
    if (action === 'delete' && records.some(isProtected)) return notify(texts.protected, { type: 'error' })
    start(action, records, 'bulk', await filteredOut(records))
  }
  return useEvent((action: BulkAction) => void press(action).catch(toast.showError))
}

/**
 * Finds the selected records, those of other pages included, when they are needed. They come from the list that is
 * already loaded; of a list that the server pages, records of other pages have only their ids.
 */
function useSelectedRecords(): () => Promise<readonly RaRecord[]> {
  const { entity } = useScreen()
  const { selectedIds, data = [] } = useListContext()
  const dataProvider = useDataProvider()
  return async () => {
    const recordById = new Map(data.map((record) => [record.id, record]))
    const elsewhere = selectedIds.filter((id) => !recordById.has(id))
    if (elsewhere.length > 0 && entity.api.paging === 'whole') {
      const { data: fetched } = await dataProvider.getMany<RaRecord>(entity.name, { ids: elsewhere })
      for (const record of fetched) recordById.set(record.id, record)
    }
    return selectedIds.map((id) => recordById.get(id) ?? { id })
  }
}

/**
 * Counts the records that the list's search and filters no longer match: they matched when they were selected, and have
 * changed since.
 */
function useFilteredOut(): (records: readonly RaRecord[]) => Promise<number> {
  const { filterValues } = useListContext()
  const matching = useMatchingRecords()
  return async (records) => {
    if (Object.keys(filterValues).length === 0) return 0
    const shown = new Set((await matching()).map(({ id }) => id))
    return records.filter(({ id }) => !shown.has(id)).length
  }
}
