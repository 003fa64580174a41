import { Suspense, useMemo } from 'react'
import { ResourceContextProvider, useGetOne, useLocation, useMatch, useNavigate } from 'react-admin'
import { ActionRunner } from './actions/ActionRunner.tsx'
import { type DialogAction, opensDialog } from './define/action.ts'
import type { Resource } from './define/defineResource.ts'
import type { SectionScreen } from './define/namedPage.ts'
import type { ResourceEntry } from './define/resourceEntry.ts'
import { type FormState, ScreenContext, useAddresses, useScreen, useScreenValue } from './define/screen.ts'
import { RecordList } from './list/RecordList.tsx'
import { ListController } from './list/state/ListController.tsx'
import { ListViewProvider } from './list/state/listView.tsx'
import { useChosenSort, usePageSize } from './list/state/useTableChoices.ts'
import { lazyPart } from './parts/lazyPart.tsx'

const RecordDialog = lazyPart(() => import('./form/RecordDialog.tsx'))

/** Milliseconds. Lists that the server pages change by themselves: who is online, who is blocked. */
const pollInterval = 5_000

interface ResourceScreenProps {
  entry: ResourceEntry
  definition: Resource
  /** The screens that are tabs of one another, this one among them. */
  section: readonly SectionScreen[]
}

/** The screen of a definition: the list, and over it the dialogs, each with an address of its own. */
export function ResourceScreen({ entry, definition, section }: ResourceScreenProps) {
  const { entity } = definition
  const screen = useScreenValue(entry, definition)
  const { meta } = screen
  const [pageSize] = usePageSize()
  const [sort, setChosenSort] = useChosenSort(definition)
  const queryOptions = useMemo(
    // The list shows its error in place of the rows; a toast would say the same twice.
    () => ({
      onError: (error: Error) => console.error(error),
      refetchInterval: (query: { state: { status: string } }) =>
        entity.api.paging === 'window' && query.state.status !== 'error' ? pollInterval : false,
    }),
    [entity],
  )
  return (
    <ScreenContext value={screen}>
      <ResourceContextProvider value={entity.name}>
        <ListViewProvider definition={definition}>
          <ListController
            key={entity.name}
            resource={entity.name}
            isWhole={entity.api.paging === 'whole'}
            sort={sort}
            onSort={setChosenSort}
            perPage={pageSize}
            meta={meta}
            queryOptions={queryOptions}
          >
            <ActionRunner>
              <RecordList section={section} />
            </ActionRunner>
            <OpenDialog />
            <AddressedDialog />
          </ListController>
        </ListViewProvider>
      </ResourceContextProvider>
    </ScreenContext>
  )
}

/** The dialog that the address asks for, if it asks for one that this person may open. */
function OpenDialog() {
  const { dialogPattern, allowed } = useScreen()
  const addresses = useAddresses()
  const navigate = useNavigate()
  const { openedFrom } = (useLocation().state ?? {}) as FormState
  const id = useMatch({ path: dialogPattern, end: true })?.params.id
  if (id === undefined || !allowed(id === 'create' ? 'create' : 'update')) return null
  // Closing is a navigation like any other, so that the form asks about unsaved changes in one place.
  const close = () => navigate(openedFrom ?? addresses.list)
  return (
    <Suspense>
      <RecordDialog key={id} id={id === 'create' ? undefined : id} onClose={close} />
    </Suspense>
  )
}

/** The dialog of a row action that the address asks for, where this server and this person have it. */
function AddressedDialog() {
  const { dialogPattern, rowActions } = useScreen()
  const match = useMatch({ path: `${dialogPattern}/:address`, end: true })?.params
  const action = rowActions.find(
    (one) => opensDialog(one) && one.address !== undefined && one.address === match?.address,
  )
  return match?.id !== undefined && action && opensDialog(action) ? (
    <RecordActionDialog key={match.id} id={match.id} Dialog={action.Dialog} />
  ) : null
}

function RecordActionDialog({ id, Dialog }: { id: string; Dialog: DialogAction['Dialog'] }) {
  const { entity } = useScreen()
  const addresses = useAddresses()
  const navigate = useNavigate()
  const { openedFrom } = (useLocation().state ?? {}) as FormState
  const { data, isPending } = useGetOne(entity.name, { id }, { retry: false })
  if (isPending) return null
  // A record that this person does not see may have something to show all the same; the dialog asks for it.
  return (
    <Suspense>
      <Dialog records={[data ?? { id }]} onClose={() => navigate(openedFrom ?? addresses.list)} />
    </Suspense>
  )
}
