import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { address, button, columnTexts, shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'

describe('A whole list', () => {
  it('is fetched once: paging, sorting and opening a record make no request', async () => {
    const { user, network } = await renderConsole({
      extension: withDrills,
      path: '/dashboard/drill',
      records: { drill: drillRecords(25) },
    })
    const reads = () => network.sent.filter(({ path }) => path.startsWith('drill')).length
    await waitFor(() => expect(shownIds()).toHaveLength(10))
    await user.click(button('Page 2'))
    await waitFor(() => expect(shownIds()[0]).toBe(11))
    await user.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'))
    await waitFor(() => expect(columnTexts(2)[0]).toBe('Drill 1'))
    await user.click(screen.getByRole('link', { name: 'Drill 3' }))
    await screen.findByRole('dialog', { name: 'Edit “Drill 3”' })
    expect(reads()).toBe(1)
  })

  it('is fetched again by Refresh, and shows what others have changed', async () => {
    const { user, server } = await renderConsole({
      extension: withDrills,
      path: '/dashboard/drill',
      records: { drill: drillRecords(1) },
    })
    await screen.findByText('Drill 1')
    server.store
      .table({ name: 'drill', columns: [{ name: 'name', type: 'TEXT' }] })
      .update(1, { name: 'Moved' } as never)
    await user.click(button('Refresh'))
    await screen.findByText('Moved')
  })
})

/** A newer server: its groups have a colour, and the frame around them has more fields too. */
const knowColours = alterReplies('server-group', (data) =>
  (data as { group: object }[]).map((row) => ({ ...row, pinned: true, group: { ...row.group, colour: 'red' } })),
)

describe('An edit', () => {
  it('sends back fields that this console does not know, and no computed fields', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/server-group/1',
      records: { server: [{ name: 'web' }], 'server-group': [{ name: 'Edge', servers: [1] }] },
      prepare: knowColours,
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' north')
    await user.click(button('Save'))
    await waitFor(() => expect(columnTexts(2)).toEqual(['Edge north']))
    expect(network.sent.filter(({ method }) => method === 'PATCH')).toEqual([
      {
        method: 'PATCH',
        path: 'server-group/1',
        body: { name: 'Edge north', servers: [1], colour: 'red', pinned: true },
      },
    ])
  })

  it('starts from the record as the server has it now, so that changes by others are not undone', async () => {
    const { user, server, storedRows } = await renderConsole({
      path: '/dashboard/server/1',
      records: { server: [{ name: 'web', display_index: 1 }] },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '-1')
    server.store.table({ name: 'server', columns: [] }).update(1, { display_index: 9 } as never)
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('server')[0]).toMatchObject({ name: 'web-1', display_index: 9 }))
  })
})

describe('An address', () => {
  it("of the home screen's entity redirects to the home screen", async () => {
    await renderConsole({ path: '/dashboard/server', records: { server: [{ name: 'web' }] } })
    await screen.findByText('web')
    expect(address()).toBe('/dashboard')
  })

  it('of a record of the home screen opens it over the list, and closes to the list', async () => {
    const { user } = await renderConsole({ path: '/dashboard/server/1', records: { server: [{ name: 'web' }] } })
    await screen.findByRole('dialog', { name: 'Edit “web”' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(shownIds()).toHaveLength(1)
  })

  it('that does not exist says so, with a link back', async () => {
    await renderConsole({ path: '/dashboard/nowhere' })
    await screen.findByRole('heading', { name: 'There is no page at this address.' })
    expect(screen.queryByText(/unexpected error/)).toBeNull()
    expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  })
})
