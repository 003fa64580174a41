import { Navigate, useBasename, useGetIdentity } from 'react-admin'
import { Route } from 'react-router'
import { IfAnnounced, useIsAvailable } from './define/announcedFeatures.tsx'
import type { Resource } from './define/defineResource.ts'
import { type NamedPage, SectionContext, type SectionScreen } from './define/namedPage.ts'
import { dialogRoot } from './define/screen.ts'
import { ResourceScreen } from './ResourceScreen.tsx'

/**
 * The routes of all definitions: list, create and edit share one element, so that the list stays mounted while a
 * dialog opens over it. Where the address is not the entity's name, the name redirects there.
 *
 * @param namedPages hand-made pages; one with `firstTabOf` or `lastTabOf` is a tab of that section, for those who may
 * see it
 */
export function routesOf(resources: readonly Resource[], namedPages: readonly NamedPage[]) {
  return [...sectionRedirects(resources, namedPages), ...namedPages.map(namedPageRoute), ...resources.map(routeOf)]

  function namedPageRoute(page: NamedPage) {
    const props = { page, resources, namedPages }
    return <Route key={page.path} path={`/${page.path}`} element={<NamedPageScreen {...props} />} />
  }

  function routeOf(resource: Resource) {
    const { entity, path } = resource
    const root = dialogRoot(resource)
    return (
      <Route key={entity.name}>
        <Route
          element={
            <IfAnnounced resource={resource}>
              <ResourceScreen resource={resource} section={sectionOf(resource, resources, namedPages)} />
            </IfAnnounced>
          }
        >
          <Route path={`/${path}`} element={null} />
          <Route path={`/${root}/:id`} element={null} />
        </Route>
        {path === entity.name ? null : <Route path={`/${entity.name}`} element={<RedirectTo path={path} />} />}
      </Route>
    )
  }
}

/** Addresses of sections that have no screen of their own: they redirect to the first tab that a person may see. */
function sectionRedirects(resources: readonly Resource[], namedPages: readonly NamedPage[]) {
  const sections = new Set(resources.flatMap(({ menu }) => (typeof menu === 'object' ? [menu.tabOf] : [])))
  return [...sections]
    .filter((head) => !resources.some(({ entity }) => entity.name === head))
    .filter((head) => !namedPages.some(({ firstTabOf }) => firstTabOf === head))
    .map((head) => <Route key={head} path={`/${head}`} element={<FirstTab tabs={tabsOf(head, resources)} />} />)
}

interface NamedPageScreenProps {
  page: NamedPage
  resources: readonly Resource[]
  namedPages: readonly NamedPage[]
}

/** A page with the tabs of its section; people who may not see it are redirected to the first of them. */
function NamedPageScreen({ page, resources, namedPages }: NamedPageScreenProps) {
  const isAvailable = useIsAvailable()
  const head = page.firstTabOf ?? page.lastTabOf
  if (!isAvailable(page)) return <FirstTab tabs={head ? tabsOf(head, resources) : []} />
  return (
    <SectionContext value={head ? sectionNamed(head, resources, namedPages) : [page]}>{page.element}</SectionContext>
  )
}

function FirstTab({ tabs }: { tabs: readonly Resource[] }) {
  const { isPending } = useGetIdentity()
  const first = tabs.find(useIsAvailable())
  return isPending || !first ? null : <RedirectTo path={first.path} />
}

/** The screens that share a section with a definition: what it is a tab of, and all tabs of that, in their order. */
export function sectionOf(
  { entity, menu }: Resource,
  resources: readonly Resource[],
  namedPages: readonly NamedPage[],
): SectionScreen[] {
  return sectionNamed(typeof menu === 'object' ? menu.tabOf : entity.name, resources, namedPages)
}

function sectionNamed(head: string, resources: readonly Resource[], namedPages: readonly NamedPage[]): SectionScreen[] {
  return [
    ...namedPages.filter(({ firstTabOf }) => firstTabOf === head),
    ...resources.filter(({ entity }) => entity.name === head),
    ...tabsOf(head, resources),
    ...namedPages.filter(({ lastTabOf }) => lastTabOf === head),
  ]
}

const tabsOf = (head: string, resources: readonly Resource[]) =>
  resources.filter(({ menu }) => typeof menu === 'object' && menu.tabOf === head)

function RedirectTo({ path }: { path: string }) {
  const basename = useBasename()
  return <Navigate to={path ? `${basename}/${path}` : basename} replace />
}

/** The entries of the navigation, in the order of the definitions. Tabs belong to the entry they are tabs of. */
export function menuOf(resources: readonly Resource[], basename: string) {
  const addressesOf = (resource: Resource) =>
    [...new Set([resource.path, dialogRoot(resource)])].map((path) => (path ? `${basename}/${path}` : basename))
  return resources
    .filter(({ menu }) => menu === true)
    .map((resource) => {
      const { entity, path } = resource
      return {
        to: path ? `${basename}/${path}` : basename,
        labelKey: `resources.${entity.name}.menu`,
        activeOn: [resource, ...tabsOf(entity.name, resources)].flatMap(addressesOf),
      }
    })
}
