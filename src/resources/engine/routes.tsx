import { Navigate, useBasename, useGetIdentity } from 'react-admin'
import { Route } from 'react-router'
import { IfAnnounced, useIsOffered } from './announced.tsx'
import type { Resource } from './defineResource.ts'
import { ResourceScreen } from './ResourceScreen.tsx'
import { dialogRoot } from './screen.ts'

/**
 * The routes of all definitions: list, create and edit share one element, so that the list stays mounted while a
 * dialog opens over it. Where the address is not the entity's name, the name leads there.
 */
export function routesOf(resources: readonly Resource[]) {
  return [...headlessSections(resources), ...resources.map(routeOf)]

  function routeOf(resource: Resource) {
    const { entity, path } = resource
    const root = dialogRoot(resource)
    return (
      <Route key={entity.name}>
        <Route
          element={
            <IfAnnounced resource={resource}>
              <ResourceScreen resource={resource} section={sectionOf(resource, resources)} />
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
function headlessSections(resources: readonly Resource[]) {
  const heads = new Set(resources.flatMap(({ menu }) => (typeof menu === 'object' ? [menu.tabOf] : [])))
  return [...heads]
    .filter((head) => !resources.some(({ entity }) => entity.name === head))
    .map((head) => <Route key={head} path={`/${head}`} element={<FirstTab tabs={tabsOf(head, resources)} />} />)
}

function FirstTab({ tabs }: { tabs: readonly Resource[] }) {
  const { isPending } = useGetIdentity()
  const first = tabs.find(useIsOffered())
  return isPending || !first ? null : <Leave path={first.path} />
}

/** The screens that share a section with a definition: what it is a tab of, and all tabs of that, in their order. */
export function sectionOf({ entity, menu }: Resource, resources: readonly Resource[]): Resource[] {
  const head = typeof menu === 'object' ? menu.tabOf : entity.name
  const first = resources.filter((resource) => resource.entity.name === head)
  return [...first, ...tabsOf(head, resources)]
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
        activeOn: sectionOf(resource, resources).flatMap(addressesOf),
      }
    })
}
