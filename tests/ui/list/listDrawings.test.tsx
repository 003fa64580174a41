import { screen, waitFor } from '@testing-library/react'
import { useListContext, useListFilterContext, useLocation } from 'react-admin'
import { beforeEach, describe, expect, it } from 'vitest'
import { shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { withMaintenance } from '../../support/maintenance/index.ts'
import { window } from '../../support/maintenance/windows.ts'

/** What a part of the list saw, drawing by drawing. */
let seen: string[] = []

function Part() {
  const { data = [], total, filterValues } = useListContext()
  seen.push(`${filterValues.q ?? ''}: ${data.map(({ name }) => name).join(', ')} (${total})`)
  return null
}

/** What a person sets, drawing by drawing. */
let wished: string[] = []

function Wishes() {
  wished.push(String(useListFilterContext().filterValues.q ?? ''))
  return null
}

/** What the address says, drawing by drawing. */
let places: string[] = []

function Place() {
  const filter = new URLSearchParams(useLocation().search).get('filter')
  places.push(filter === null ? '' : JSON.parse(filter).q)
  return null
}

const extension = {
  ...withMaintenance,
  resources: withMaintenance.resources.map((resource) =>
    resource.entity.name === 'maintenance' ? { ...resource, toolbar: [Part, Wishes, Place] } : resource,
  ),
}

const forget = () => {
  seen = []
  wished = []
  places = []
}

beforeEach(forget)

async function open() {
  const maintenance = [window({ name: 'Kernel' }), window({ name: 'backup' }), window({ name: 'keys' })]
  const opened = await renderConsole({ extension, path: '/dashboard/maintenance', records: { maintenance } })
  await waitFor(() => expect(shownIds()).toEqual([1, 2, 3]))
  forget()
  return opened
}

describe('The parts of a list', () => {
  it('are drawn once for each letter of a search, with its rows and their number', async () => {
    const { user } = await open()
    const search = screen.getByRole('searchbox', { name: 'Search' })
    await user.type(search, 'k')
    await waitFor(() => expect(seen).toEqual(['k: Kernel, backup, keys (3)']))
    await user.type(search, 'e')
    await waitFor(() => expect(shownIds()).toEqual([1, 3]))
    expect(seen.slice(1)).toEqual(['ke: Kernel, keys (2)'])
    expect(wished).toEqual(['k', 'ke'])
  })

  it('are not drawn when the address has caught up with the search, but for those that look at it', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ba')
    await waitFor(() => expect(shownIds()).toEqual([2]))
    forget()
    await waitFor(() => expect(location.search).toContain('ba'))
    await waitFor(() => expect(places).toEqual(['ba']))
    expect([seen, wished]).toEqual([[], []])
  })

  it('go on working with what is newest', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ke')
    await waitFor(() => expect(shownIds()).toEqual([1, 3]))
    const heading = screen.getByRole('columnheader', { name: 'Name' })
    for (const order of ['ascending', 'descending']) {
      await user.click(screen.getByRole('button', { name: 'Name' }))
      await waitFor(() => expect(heading.getAttribute('aria-sort')).toBe(order))
    }
    await waitFor(() => expect(shownIds()).toEqual([3, 1]))
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(shownIds()).toEqual([3, 1, 2]))
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull()
  })
})
