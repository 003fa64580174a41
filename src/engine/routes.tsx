import { type ReactNode, use } from 'react'
import { type Identifier, Navigate, useBasename } from 'react-admin'
import { Route } from 'react-router'
import {
  AnnouncedFeaturesContext,
  dialogRoot,
  isAnnounced,
  type NamedPage,
  type ResourceEntry,
  recordPath,
  SectionContext,
  type SectionScreen,
  useIsAvailable,
  useMaySee,
} from './define/page.tsx'
import type { NewDialogProps, RecordPaths } from './kinds/reference/recordAddress.ts'
import { useIdentity } from './parts/identity.tsx'
import { lazyPart } from './parts/lazyPart.tsx'
import { screensOf } from './screens.tsx'

const AdministratorsOnly = lazyPart(() => import('./AdministratorsOnly.tsx'))

/**
 * Around a screen that only some servers have, or that is for administrators: nothing is requested where it would be
 * missing or refused.
 */
function IfAvailable({ entry, children }: { entry: ResourceEntry; children: ReactNode }) {
  const announced = use(AnnouncedFeaturesContext)
  const basename = useBasename()
  const { isPending } = useIdentity()
  const maySee = useMaySee()
  const { name, access, api } = entry.entity
  // The user is not known yet, or not whether this server shows the list to members.
  if (access.list === 'admin' && (isPending || (api.membersOfOldServers && !announced))) return null
  // Nobody is refused before the user is known.
  if (!maySee(entry)) return isPending ? null : <AdministratorsOnly titleKey={`resources.${name}.name`} />
  if (isAnnounced(entry, announced)) return children
  return announced && <Navigate to={basename || '/'} replace />
}

/** Where the records of each entity are shown, for links to them from anywhere. */
export const recordPathsOf = (resources: readonly ResourceEntry[]): ReadonlyMap<string, RecordPaths> =>
  new Map(
    resources.map((resource) => [
      resource.entity.name,
      {
        pathOf: (id: Identifier) => recordPath(resource, id),
        hasOverview: resource.overview !== undefined,
        NewDialog: resource.isMadeInPickers ? newDialogOf(resource) : undefined,
      },
    ]),
  )

/** The form of a new record over another form; its code comes when somebody asks for it. */
const newDialogOf = (entry: ResourceEntry) =>
  lazyPart<NewDialogProps>(async () => {
    const [{ default: NewRecordDialog }, { default: definition }] = await Promise.all([
      import('./form/NewRecordDialog.tsx'),
      entry.load(),
    ])
    return { default: (props) => <NewRecordDialog entry={entry} definition={definition} {...props} /> }
  })

/**
 * The routes of all definitions, below the console's own: list, create and edit share one element, so that the list
 * stays mounted while a dialog opens over it. Where the address is not the entity's name, the name redirects there.
 *
 * @param namedPages hand-made pages; one with `firstTabOf` or `lastTabOf` is a tab of that section, for those who may
 * see it
 */
export function routesOf(resources: readonly ResourceEntry[], namedPages: readonly NamedPage[]) {
  return [...sectionRedirects(resources, namedPages), ...namedPages.map(namedPageRoute), ...resources.map(routeOf)]

  function namedPageRoute(page: NamedPage) {
    const props = { page, resources, namedPages }
    return <Route key={page.path} path={page.path} element={<NamedPageScreen {...props} />} />
  }

  function routeOf(entry: ResourceEntry) {
    const { entity, path } = entry
    const root = dialogRoot(entry)
    const { List, Overview } = screensOf(entry)
    return (
      <Route key={entity.name}>
        <Route
          element={
            <IfAvailable entry={entry}>
              <List section={sectionOf(entry, resources, namedPages)} />
            </IfAvailable>
          }
        >
          <Route path={path} element={null} />
          <Route path={`${root}/:id`} element={null} />
          <Route path={`${root}/:id/:address`} element={null} />
        </Route>
        {Overview ? (
          <Route
            path={`${root}/:id/overview`}
            element={
              <IfAvailable entry={entry}>
                <Overview />
              </IfAvailable>
            }
          />
        ) : null}
        {path === entity.name ? null : <Route path={entity.name} element={<RedirectTo path={path} />} />}
      </Route>
    )
  }
}

/** Addresses of sections that have no screen of their own: they redirect to the first tab that a person may see. */
function sectionRedirects(resources: readonly ResourceEntry[], namedPages: readonly NamedPage[]) {
  const sections = new Set(resources.flatMap(({ menu }) => (typeof menu === 'object' ? [menu.tabOf] : [])))
  return [...sections]
    .filter((head) => !resources.some(({ entity }) => entity.name === head))
    .filter((head) => !namedPages.some(({ firstTabOf }) => firstTabOf === head))
    .map((head) => (
      <Route
        key={head}
        path={head}
        element={<FirstTab tabs={tabsOf(head, resources)} titleKey={`resources.${head}.name`} />}
      />
    ))
}

interface NamedPageScreenProps {
  page: NamedPage
  resources: readonly ResourceEntry[]
  namedPages: readonly NamedPage[]
}

/** A page with the tabs of its section; the head of a section redirects people who may not see it to another tab. */
function NamedPageScreen({ page, resources, namedPages }: NamedPageScreenProps) {
  const { isPending } = useIdentity()
  const isAvailable = useIsAvailable()
  const head = page.firstTabOf ?? page.lastTabOf
  if (!isAvailable(page)) {
    const tabs = page.firstTabOf ? tabsOf(page.firstTabOf, resources) : []
    const instead = resources.find(({ entity }) => entity.name === page.instead)?.path
    return isPending ? null : <FirstTab tabs={tabs} titleKey={page.labelKey} instead={instead} />
  }
  return (
    <SectionContext value={head ? sectionNamed(head, resources, namedPages) : [page]}>{page.element}</SectionContext>
  )
}

interface FirstTabProps {
  tabs: readonly ResourceEntry[]
  titleKey: string
  /** Where people are sent who may see none of them; without it they are told so here. */
  instead?: string
}

/** Redirects to the first tab that a person may see, which may become known with the settings of the server. */
function FirstTab({ tabs, titleKey, instead }: FirstTabProps) {
  const { isPending } = useIdentity()
  const announced = use(AnnouncedFeaturesContext)
  const first = tabs.find(useIsAvailable())
  if (first) return <RedirectTo path={first.path} />
  if (isPending || !announced) return null
  return instead === undefined ? <AdministratorsOnly titleKey={titleKey} /> : <RedirectTo path={instead} />
}

/** The screens that share a section with a definition: what it is a tab of, and all tabs of that, as they are listed. */
export function sectionOf(
  { entity, menu }: ResourceEntry,
  resources: readonly ResourceEntry[],
  namedPages: readonly NamedPage[],
): SectionScreen[] {
  return sectionNamed(typeof menu === 'object' ? menu.tabOf : entity.name, resources, namedPages)
}

export function sectionNamed(
  head: string,
  resources: readonly ResourceEntry[],
  namedPages: readonly NamedPage[],
): SectionScreen[] {
  return [
    ...namedPages.filter(({ firstTabOf }) => firstTabOf === head),
    ...resources.filter((entry) => entry.entity.name === head || isTabOf(head, entry)),
    ...namedPages.filter(({ lastTabOf }) => lastTabOf === head),
  ]
}

const isTabOf = (head: string, { menu }: ResourceEntry) => typeof menu === 'object' && menu.tabOf === head

const tabsOf = (head: string, resources: readonly ResourceEntry[]) => resources.filter((entry) => isTabOf(head, entry))

function RedirectTo({ path }: { path: string }) {
  const basename = useBasename()
  return <Navigate to={path ? `${basename}/${path}` : basename} replace />
}

/** The entries of the navigation, in the order of the definitions. Tabs belong to the entry they are tabs of. */
export function menuOf(resources: readonly ResourceEntry[], basename: string) {
  const addressesOf = (resource: ResourceEntry) =>
    [...new Set([resource.path, dialogRoot(resource)])].map((path) => (path ? `${basename}/${path}` : basename))
  return resources
    .filter(({ menu }) => menu === true)
    .map((resource) => {
      const { entity, path } = resource
      return {
        to: path ? `${basename}/${path}` : basename,
        labelKey: `resources.${entity.name}.menu`,
        announced: entity.api.announced,
        Badges: [resource, ...tabsOf(entity.name, resources)].flatMap(({ Badge }) => Badge ?? []),
        activeOn: [resource, ...tabsOf(entity.name, resources)].flatMap(addressesOf),
      }
    })
}

/** Tells for a path the address of the screen that it shows: for the path of a record's dialog, that of its list. */
export function screenAddresses(resources: readonly ResourceEntry[], basename: string): (pathname: string) => string {
  const screens = resources.map((resource) => ({
    list: resource.path ? `${basename}/${resource.path}` : basename,
    dialogs: `${basename}/${dialogRoot(resource)}/`,
  }))
  return (pathname) => {
    const screen = screens.find(({ dialogs }) => {
      if (!pathname.startsWith(dialogs)) return false
      const [, address, ...more] = pathname.slice(dialogs.length).split('/')
      return more.length === 0 && address !== 'overview'
    })
    return screen?.list ?? pathname
  }
}
