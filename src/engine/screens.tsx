import { type ComponentType, type ReactNode, Suspense, useMemo } from 'react'
import {
  ListContextProvider,
  ResourceContextProvider,
  useBasename,
  useGetOne,
  useLocation,
  useMatch,
  useNavigate,
} from 'react-admin'
import { NotFoundPage } from '../components/ErrorPage.tsx'
import { ActionRunner } from './actions/ActionRunner.tsx'
import { type DialogAction, opensDialog } from './define/action.ts'
import type { Resource } from './define/defineResource.ts'
import { dialogRoot, type ResourceEntry, type SectionScreen } from './define/page.tsx'
import { type FormState, ScreenContext, useAddresses, useScreen, useScreenValue } from './define/screen.ts'
import { RecordList } from './list/RecordList.tsx'
import { ListController } from './list/state/ListController.tsx'
import { ListViewProvider, noList, useChosenSort, usePageSize } from './list/state/listView.tsx'
import { type LazyPart, lazyPart } from './parts/lazyPart.tsx'

interface ListProps {
  /** The screens that are tabs of one another, this one among them. */
  section: readonly SectionScreen[]
}

/** The screens of a resource, each with the definition that it is drawn from. Prepared ahead, they are drawn at once. */
interface Screens {
  /** The list with its dialogs. */
  List: LazyPart<ListProps>
  /** The page of one record. */
  Overview?: LazyPart<object>
}

const known = new WeakMap<ResourceEntry, Screens>()

/** The screens of a resource: the same ones each time, because what has been fetched for them stays with them. */
export function screensOf(entry: ResourceEntry): Screens {
  const screens = known.get(entry) ?? createScreens(entry)
  known.set(entry, screens)
  return screens
}

function createScreens(entry: ResourceEntry): Screens {
  const { load, overview, path } = entry
  const List = lazyPart(
    async () => {
      const { default: definition } = await load()
      return {
        default: ({ section }: ListProps) => (
          <KnownAddress entry={entry} definition={definition}>
            <ResourceScreen entry={entry} definition={definition} section={section} />
          </KnownAddress>
        ),
      }
    },
    // What the first list says is a part of the console.
    { hasTexts: path !== '' },
  )
  const Overview =
    overview &&
    lazyPart(async () => {
      const [{ default: definition }, { default: Page }] = await Promise.all([load(), overview()])
      return { default: () => <OverviewScreen entry={entry} definition={definition} Overview={Page} /> }
    })
  return { List, Overview }
}

/** Fetches the screen at an address, if it is one of these, so that it can be drawn at once. Never rejects. */
export async function prepareScreen(
  entries: readonly ResourceEntry[],
  basename: string,
  pathname: string,
): Promise<void> {
  const address = pathname.slice(basename.length).replace(/^\/+|\/+$/g, '')
  const entry = entries.find((entry) => address === entry.path || `${address}/`.startsWith(`${dialogRoot(entry)}/`))
  if (!entry) return
  const { List, Overview } = screensOf(entry)
  await (Overview && /\/overview$/.test(address) ? Overview : List).prepare()
}

interface KnownAddressProps {
  entry: ResourceEntry
  definition: Resource
  children: ReactNode
}

/** The screen, unless the address is that of a dialog which it does not have. */
function KnownAddress({ entry, definition, children }: KnownAddressProps) {
  const basename = useBasename()
  const { address } = useMatch({ path: `${basename}/${dialogRoot(entry)}/:id/:address`, end: true })?.params ?? {}
  const addresses = useMemo(
    () => definition.rowActions.flatMap((action) => (opensDialog(action) && action.address ? [action.address] : [])),
    [definition],
  )
  return address === undefined || addresses.includes(address) ? children : <NotFoundPage />
}

interface OverviewScreenProps {
  entry: ResourceEntry
  definition: Resource
  Overview: ComponentType
}

/** The overview of a record, with its definition's texts, addresses and actions around it. */
function OverviewScreen({ entry, definition, Overview }: OverviewScreenProps) {
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
function ResourceScreen({ entry, definition, section }: ResourceScreenProps) {
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
