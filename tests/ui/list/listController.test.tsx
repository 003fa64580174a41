import { render, waitFor } from '@testing-library/react'
import { CoreAdminContext, ListBase, memoryStore, useListContext } from 'react-admin'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { ListController } from '../../../src/engine/list/state/ListController.tsx'
import { createQueryClient } from '../../../src/records/queryClient.ts'

/** What a list context holds, once its rows are there: the name and the type of each member. */
async function membersOf(list: (children: React.ReactNode) => React.ReactNode): Promise<Record<string, string>> {
  const row = { id: 1, name: 'web' }
  const dataProvider = { getList: async () => ({ data: [row], total: 1 }) } as never
  let members: Record<string, unknown> = {}
  function Probe() {
    members = { ...useListContext() }
    return null
  }
  const element = (
    <CoreAdminContext dataProvider={dataProvider} queryClient={createQueryClient()} store={memoryStore()}>
      {list(<Probe />)}
    </CoreAdminContext>
  )
  const router = createMemoryRouter([{ path: '*', element }])
  render(<RouterProvider router={router} flushSync={(draw) => void draw()} />)
  await waitFor(() => expect(members.data).toEqual([row]))
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, typeof value]))
}

it("the list context has every member that react-admin's own controller of this version gives it", async () => {
  const theirs = await membersOf((children) => (
    <ListBase resource="server" exporter={false} storeKey={false}>
      {children}
    </ListBase>
  ))
  const ours = await membersOf((children) => (
    <ListController
      resource="server"
      isWhole
      sort={{ field: 'id', order: 'ASC' }}
      onSort={() => {}}
      perPage={10}
      meta={{}}
      queryOptions={{}}
    >
      {children}
    </ListController>
  ))
  // A title and a fixed filter are props of react-admin's <List>, which the console does not use.
  const { defaultTitle: _title, filter: _filter, ...expected } = theirs
  expect(ours).toEqual(expected)
})
