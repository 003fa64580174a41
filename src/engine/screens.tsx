import { type ComponentType, type ReactNode, useMemo } from 'react'
import { ListContextProvider, ResourceContextProvider, useBasename, useMatch } from 'react-admin'
import { NotFoundPage } from '../components/ErrorPage.tsx'
import { ActionRunner } from './actions/ActionRunner.tsx'
import { opensDialog } from './define/action.ts'
import type { Resource } from './define/defineResource.ts'
import type { SectionScreen } from './define/namedPage.ts'
import { dialogRoot, type ResourceEntry } from './define/resourceEntry.ts'
import { ScreenContext, useScreenValue } from './define/screen.ts'
import { type LazyPart, lazyPart } from './parts/lazyPart.tsx'
import { noList } from './parts/noList.ts'
import { ResourceScreen } from './ResourceScreen.tsx'

interface ListProps {
  /** The screens that are tabs of one another, this one among them. */
  section: readonly SectionScreen[]
}

/** The screens of a resource, each with the definition that it is drawn from. Prepared ahead, they are drawn at once. */
export interface Screens {
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
