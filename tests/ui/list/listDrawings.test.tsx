import { act, screen, waitFor } from '@testing-library/react'
import { useListContext, useListFilterContext, useLocation } from 'react-admin'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ResourceEntry } from '../../../src/engine/define/page.tsx'
import { shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecord } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'

/** The rows in the list context at each drawing. */
let drawnRows: string[] = []

function RowsProbe() {
  const { data = [], total, filterValues } = useListContext()
  drawnRows.push(`${filterValues.q ?? ''}: ${data.map(({ name }) => name).join(', ')} (${total})`)
  return null
}

/** The search in the filter context at each drawing. */
let drawnFilters: string[] = []

function FilterProbe() {
  drawnFilters.push(String(useListFilterContext().filterValues.q ?? ''))
  return null
}

/** The search in the address at each drawing. */
let drawnAddresses: string[] = []

function AddressProbe() {
  const filter = new URLSearchParams(useLocation().search).get('filter')
  drawnAddresses.push(filter === null ? '' : JSON.parse(filter).q)
  return null
}

async function withProbes({ load }: ResourceEntry) {
  const { default: definition } = await load()
  return { ...definition, toolbar: [RowsProbe, FilterProbe, AddressProbe] }
}

const extension = {
  ...withDrills,
  resources: withDrills.resources.map((entry) =>
    entry.entity.name === 'drill' ? { ...entry, load: async () => ({ default: await withProbes(entry) }) } : entry,
  ),
}

const clearDrawings = () => {
  drawnRows = []
  drawnFilters = []
  drawnAddresses = []
}

beforeEach(clearDrawings)

async function open() {
  const drill = [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' }), drillRecord({ name: 'keys' })]
  const opened = await renderConsole({ extension, path: '/dashboard/drill', records: { drill } })
  await waitFor(() => expect(shownIds()).toEqual([1, 2, 3]))
  clearDrawings()
  return opened
}

describe('The parts of a list', () => {
  it('are drawn once for each letter of a search, with its rows and their number', async () => {
    const { user } = await open()
    const search = screen.getByRole('searchbox', { name: 'Search' })
    await user.type(search, 'k')
    await waitFor(() => expect(drawnRows).toEqual(['k: Kernel, backup, keys (3)']))
    await user.type(search, 'e')
    await waitFor(() => expect(shownIds()).toEqual([1, 3]))
    expect(drawnRows.slice(1)).toEqual(['ke: Kernel, keys (2)'])
    expect(drawnFilters).toEqual(['k', 'ke'])
  })

  it('are not drawn when the address follows the search, except those that use the address', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ba')
    await waitFor(() => expect(shownIds()).toEqual([2]))
    clearDrawings()
    await waitFor(() => expect(location.search).toContain('ba'))
    await waitFor(() => expect(drawnAddresses).toEqual(['ba']))
    expect([drawnRows, drawnFilters]).toEqual([[], []])
  })

  it('are drawn once for another order, which the address has at once', async () => {
    await open()
    // Without the helper, which would wait for a transition as well.
    screen.getByRole('button', { name: 'Name' }).click()
    expect(location.search).toContain('sort=name')
    await waitFor(() => expect(shownIds()).toEqual([2, 1, 3]))
    expect(drawnRows).toEqual([': backup, Kernel, keys (3)'])
    await act(async () => {})
    expect(drawnRows).toHaveLength(1)
  })

  it('use the latest query when they change it', async () => {
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
