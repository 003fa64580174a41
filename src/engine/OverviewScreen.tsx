import type { ComponentType } from 'react'
import { ListContextProvider, ResourceContextProvider } from 'react-admin'
import { ActionRunner } from './actions/ActionRunner.tsx'
import type { Resource } from './define/defineResource.ts'
import type { ResourceEntry } from './define/resourceEntry.ts'
import { ScreenContext, useScreenValue } from './define/screen.ts'
import { noList } from './parts/noList.ts'

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
          <ActionRunner isOnPage>
            <Overview />
          </ActionRunner>
        </ListContextProvider>
      </ResourceContextProvider>
    </ScreenContext>
  )
}
