import type { ComponentType } from 'react'
import { ListContextProvider, type ListControllerResult, ResourceContextProvider } from 'react-admin'
import { ActionRunner } from './actions/ActionRunner.tsx'
import type { Resource } from './define/defineResource.ts'
import type { ResourceEntry } from './define/resourceEntry.ts'
import { ScreenContext, useScreenValue } from './define/screen.ts'

interface OverviewScreenProps {
  entry: ResourceEntry
  definition: Resource
  Overview: ComponentType
}

/** The overview of a record, with its definition's texts, addresses and actions around it. */
export function OverviewScreen({ entry, definition, Overview }: OverviewScreenProps) {
  const screen = useScreenValue(entry, definition)
  return (
    <ScreenContext value={screen}>
      <ResourceContextProvider value={definition.entity.name}>
        <ListContextProvider value={noList}>
          <ActionRunner>
            <Overview />
          </ActionRunner>
        </ListContextProvider>
      </ResourceContextProvider>
    </ScreenContext>
  )
}

/**
 * An empty list context: actions remove changed records from the selection of a list, and here is no list.
 * React-admin's `useList` would do the same, but add its exporter to the first load.
 */
const noList = {
  data: [],
  total: 0,
  error: null,
  isPending: false,
  selectedIds: [],
  onSelect: () => {},
  filterValues: {},
} satisfies Partial<ListControllerResult> as Partial<ListControllerResult> as ListControllerResult
