import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '../../../src/engine/define/column.ts'
import { shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecord } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'

/** The names that rows were sorted by, as they were asked for. */
let sortedNames: unknown[] = []

const countSorted = (column: Column): Column => ({
  ...column,
  sort: ({ name }) => {
    sortedNames.push(name)
    return name
  },
})

const extension = {
  ...withDrills,
  resources: withDrills.resources.map((entry) => ({
    ...entry,
    load: async () => {
      const { default: definition } = await entry.load()
      const columns = definition.columns.map((column) => (column.source === 'name' ? countSorted(column) : column))
      return { default: { ...definition, columns } }
    },
  })),
}

beforeEach(() => {
  sortedNames = []
})

async function open(path = '/dashboard/drill') {
  const drill = ['keys', 'backup', 'Kernel'].map((name) => drillRecord({ name }))
  const { user } = await renderConsole({ extension, path, records: { drill } })
  await waitFor(() => expect(shownIds().length).toBeGreaterThan(0))
  return { user, heading: () => screen.getByRole('button', { name: 'Name' }) }
}

describe('A heading', () => {
  it('has its order by the time that its button is let go', async () => {
    const { user, heading } = await open()
    await user.pointer({ keys: '[MouseLeft>]', target: heading() })
    expect(sortedNames).toEqual(['keys', 'backup', 'Kernel'])
    expect(shownIds()).toEqual([1, 2, 3])
    await user.pointer({ keys: '[/MouseLeft]', target: heading() })
    await waitFor(() => expect(shownIds()).toEqual([2, 3, 1]))
    expect(sortedNames).toHaveLength(3)
  })

  it('has the other order by the time that it is pressed once more', async () => {
    const { user, heading } = await open('/dashboard/drill?sort=name&order=ASC')
    await waitFor(() => expect(shownIds()).toEqual([2, 3, 1]))
    await user.pointer({ keys: '[MouseLeft>]', target: heading() })
    sortedNames = []
    await user.pointer({ keys: '[/MouseLeft]', target: heading() })
    await waitFor(() => expect(shownIds()).toEqual([1, 3, 2]))
    expect(sortedNames).toEqual([])
  })

  it('sorts all rows when it is pressed, of which a search leaves some', async () => {
    const { user, heading } = await open(`/dashboard/drill?filter=${encodeURIComponent('{"q":"ke"}')}`)
    await waitFor(() => expect(shownIds()).toEqual([1, 3]))
    await user.pointer({ keys: '[MouseLeft>]', target: heading() })
    sortedNames = []
    await user.pointer({ keys: '[/MouseLeft]', target: heading() })
    await waitFor(() => expect(shownIds()).toEqual([3, 1]))
    expect(sortedNames).toEqual([])
  })

  it('sorts with the keyboard as well', async () => {
    const { user, heading } = await open()
    heading().focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(shownIds()).toEqual([2, 3, 1]))
  })
})
