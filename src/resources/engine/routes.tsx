import { Navigate, useBasename, useGetIdentity } from 'react-admin'
import { Route } from 'react-router'
import { IfAnnounced, useIsOffered } from './define/announcedByServer.tsx'
import type { Resource } from './define/defineResource.ts'
import { type Member, type Place, SectionContext } from './define/place.ts'
import { dialogRoot } from './define/screen.ts'
import { ResourceScreen } from './ResourceScreen.tsx'

/**
 * The routes of all definitions: list, create and edit share one element, so that the list stays mounted while a
 * dialog opens over it. Where the address is not the entity's name, the name leads there.
 *
 * @param places pages drawn by hand; one that heads a section is its first tab, for those who may see it
 */
export function routesOf(resources: readonly Resource[], places: readonly Place[]) {
  return [...headlessSections(resources, places), ...places.map(placeRoute), ...resources.map(routeOf)]

  function placeRoute(place: Place) {
    return (
      <Route key={place.path} path={`/${place.path}`} element={<PlaceScreen place={place} resources={resources} />} />
    )
  }

  function routeOf(resource: Resource) {
    const { entity, path } = resource
    const root = dialogRoot(resource)
    return (
      <Route key={entity.name}>
        <Route
          element={
            <IfAnnounced resource={resource}>
              <ResourceScreen resource={resource} section={sectionOf(resource, resources, places)} />
            </IfAnnounced>
          }
        >
          <Route path={`/${path}`} element={null} />
          <Route path={`/${root}/:id`} element={null} />
        </Route>
        {path === entity.name ? null : <Route path={`/${entity.name}`} element={<Leave path={path} />} />}
      </Route>
    )
  }
}

/** A section that no definition heads leads to the first of its tabs that a person may see. */
function headlessSections(resources: readonly Resource[], places: readonly Place[]) {
  const heads = new Set(resources.flatMap(({ menu }) => (typeof menu === 'object' ? [menu.tabOf] : [])))
  return [...heads]
    .filter((head) => !resources.some(({ entity }) => entity.name === head))
    .filter((head) => !places.some(({ heads }) => heads === head))
    .map((head) => <Route key={head} path={`/${head}`} element={<FirstTab tabs={tabsOf(head, resources)} />} />)
}

/** A page with the tabs of its section; who may not see it is led to the first of them. */
function PlaceScreen({ place, resources }: { place: Place; resources: readonly Resource[] }) {
  const isOffered = useIsOffered()
  const tabs = place.heads ? tabsOf(place.heads, resources) : []
  if (!isOffered(place)) return <FirstTab tabs={tabs} />
  return <SectionContext value={[place, ...tabs]}>{place.element}</SectionContext>
}

function FirstTab({ tabs }: { tabs: readonly Resource[] }) {
  const { isPending } = useGetIdentity()
  const first = tabs.find(useIsOffered())
  return isPending || !first ? null : <Leave path={first.path} />
}

/** The screens that share a section with a definition: what it is a tab of, and all tabs of that, in their order. */
export function sectionOf(
  { entity, menu }: Resource,
  resources: readonly Resource[],
  places: readonly Place[],
): Member[] {
  const head = typeof menu === 'object' ? menu.tabOf : entity.name
  const first = resources.filter((resource) => resource.entity.name === head)
  const page = places.filter(({ heads }) => heads === head)
  return [...page, ...first, ...tabsOf(head, resources)]
}

const tabsOf = (head: string, resources: readonly Resource[]) =>
  resources.filter(({ menu }) => typeof menu === 'object' && menu.tabOf === head)

function Leave({ path }: { path: string }) {
  const basename = useBasename()
  return <Navigate to={path ? `${basename}/${path}` : basename} replace />
}

/** The navigation's entries, in the order of the definitions; a tab's addresses belong to the entry it is a tab of. */
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
