import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { button, chooseInView, columnTexts, shownIds, tickedRows, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'
import { drill } from '../../support/drill/src/schemas/drill.ts'

const open = (count: number, role?: 'admin' | 'member') =>
  renderConsole({
    extension: withDrills,
    path: '/dashboard/drill',
    records: { drill: drillRecords(count) },
    role,
  })

const tick = (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` })
const tickAll = () => screen.findByRole('checkbox', { name: 'Select all rows on this page' })

describe('Selecting rows', () => {
  it('ticks and clears all rows of the page, and keeps what is ticked on other pages', async () => {
    const { user } = await open(12)
    await screen.findByText('Drill 1')
    await user.click(await tickAll())
    await waitFor(() => expect(tickedRows()).toBe(10))
    await user.click(button('Page 2'))
    await waitFor(() => expect(shownIds()).toEqual([11, 12]))
    expect(tickedRows()).toBe(0)
    await user.click(await tickAll())
    await screen.findByText('12 selected')
    await user.click(await tickAll())
    await screen.findByText('10 selected')
  })

  it('ticks all rows between two clicks when the shift key is held', async () => {
    const { user } = await open(6)
    await user.click(await tick('Drill 2'))
    await user.keyboard('{Shift>}')
    await user.click(await tick('Drill 5'))
    await user.keyboard('{/Shift}')
    await waitFor(() => expect(tickedRows()).toBe(4))
  })
})

describe('A selection', () => {
  it('loses what somebody else has deleted, on other pages too', async () => {
    const { user, server } = await open(12)
    await user.click(await tick('Drill 2'))
    await user.click(await tick('Drill 3'))
    await user.click(button('Page 2'))
    await user.click(await tick('Drill 12'))
    await screen.findByText('3 selected')
    const table = entityTable(server.store, drill)
    table.remove([2, 12])
    await user.click(button('Refresh'))
    await screen.findByText('1 selected')
  })
})

describe('A selection, while the server is slow,', () => {
  const tickedWhileSlow = async () => {
    let release = () => {}
    let answered = Promise.resolve()
    const { user } = await renderConsole({
      extension: withDrills,
      path: '/dashboard/drill',
      records: { drill: drillRecords(3) },
      prepare: (app) =>
        app.addHook('onRequest', ({ url }) => (url.startsWith('/api/v1/drill') ? answered : Promise.resolve())),
    })
    await user.click(await tick('Drill 3'))
    await screen.findByText('1 selected')
    answered = new Promise((resolve) => {
      release = resolve
    })
    await user.click(button('Refresh'))
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'Drill 2')
    return { user, release }
  }

  it('is cleared by a search, before its rows are there', async () => {
    const { release } = await tickedWhileSlow()
    await waitFor(() => expect(tickedRows()).toBe(0))
    expect(shownIds()).toEqual([1, 2, 3])
    release()
    await waitFor(() => expect(shownIds()).toEqual([2]))
  })

  it('of rows that the search will hide is cleared with those rows', async () => {
    const { user, release } = await tickedWhileSlow()
    await user.click(await tick('Drill 1'))
    await screen.findByText('1 selected')
    expect([tickedRows(), shownIds()]).toEqual([1, [1, 2, 3]])
    release()
    await waitFor(() => expect(shownIds()).toEqual([2]))
    await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
  })
})

describe('Deleting the selected rows', () => {
  it("without a selection says 'No rows are selected' and asks for no confirmation", async () => {
    const { user } = await open(2)
    await screen.findByText('Drill 1')
    expect(screen.queryByRole('button', { name: 'Delete selected' })).toBeNull()
    await chooseInView(user, 'Delete selected')
    await waitFor(() => expect(toasts().join()).toContain('No rows are selected'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('says how many of them the filter hides, because somebody has changed them since', async () => {
    const { user, server } = await open(12)
    await user.type(await screen.findByRole('searchbox'), 'Drill')
    await waitFor(() => expect(window.location.search).toContain('Drill'))
    await user.click(await tickAll())
    await user.click(button('Page 2'))
    await user.click(await tick('Drill 11'))
    await screen.findByText('11 selected')
    const table = entityTable(server.store, drill)
    table.update(3, { name: 'Renamed by somebody' })
    await user.click(button('Refresh'))
    await screen.findByText('Total: 11')
    await user.click(button('Delete selected'))
    const question = within(await screen.findByRole('alertdialog'))
    question.getByText('1 of them no longer matches the filter and is not in the list.')
    // Drill 11 has moved up to the first page meanwhile.
    question.getByText('10 of them are not on this page.')
  })

  it('asks first, naming the rows, then deletes them with one call and fetches the list again', async () => {
    const { user, network, storedRows } = await open(4)
    await user.click(await tick('Drill 2'))
    await user.click(await tick('Drill 3'))
    await user.click(button('Delete selected'))
    const question = await screen.findByRole('alertdialog')
    for (const text of ['Drill 2', 'Drill 3', 'This operation cannot be undone!']) {
      expect(within(question).getByText(text)).toBeTruthy()
    }
    expect(storedRows('drill')).toHaveLength(4)
    await user.click(within(question).getByRole('button', { name: /^Delete/ }))
    await waitFor(() => expect(shownIds()).toEqual([1, 4]))
    expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([
      { method: 'POST', path: 'batch-delete/drill', body: [2, 3] },
    ])
    expect(tickedRows()).toBe(0)
  })

  it('deletes nothing after Cancel', async () => {
    const { user, network } = await open(2)
    await user.click(await tick('Drill 1'))
    await user.click(button('Delete selected'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(tickedRows()).toBe(1)
  })
})

describe('A member, where only admins may delete', () => {
  it('has no button to delete, and is refused by the server', async () => {
    const { user, network, storedRows } = await open(2, 'member')
    await user.click(await tick('Drill 1'))
    // Members may edit several drills at once, and delete none.
    await screen.findByRole('button', { name: 'Edit…' })
    expect(screen.queryByRole('button', { name: 'Delete selected' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Actions for Drill 1' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Duplicate', 'Start now'])
    const csrf = /nz-csrf=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const reply = await network.fetch('/api/v1/batch-delete/drill', {
      method: 'POST',
      headers: { 'x-csrf-token': decodeURIComponent(csrf) },
      body: '[1]',
    })
    expect(await reply.json()).toEqual({ error: 'permission denied' })
    expect(storedRows('drill')).toHaveLength(2)
  })
})

describe('An action of a row', () => {
  it('asks by name, calls its endpoint, reports the result and fetches the list again', async () => {
    const { user, network, storedRows } = await open(2)
    await screen.findByText('Drill 2')
    await user.click(button('Actions for Drill 2'))
    await user.click(await screen.findByRole('menuitem', { name: 'Start now' }))
    const question = await screen.findByRole('alertdialog', { name: 'Start “Drill 2” now?' })
    await user.click(within(question).getByRole('button', { name: 'Start now' }))
    await waitFor(() => expect(toasts().join()).toContain('Drill started'))
    expect(network.sent).toContainEqual({ method: 'POST', path: 'drill/2/start' })
    expect(storedRows('drill').map(({ last_started_at }) => Boolean(last_started_at))).toEqual([false, true])
    await waitFor(() => expect(columnTexts(8).filter(Boolean)).toHaveLength(1))
  })
})
