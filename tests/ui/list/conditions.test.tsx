import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { filteredList } from '../../../src/engine/list/state/listQuery.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = { server: ['web-1', 'web-2', 'web-3'].map((name) => ({ name, uuid: name })) }
const prepare = alterReplies('wheelhouse/conditions', () => [
  { server_id: 1, failed_units: 2, updates: 0, reboot_needed: 1 },
  { server_id: 2, failed_units: 0 },
])

it('columns show what servers said that rules ask, and nothing of those that were not asked', async () => {
  const shown = { failed_units: true, updates: true, reboot_needed: true }
  localStorage.setItem('wheelhouse.choices.table.server.columns', JSON.stringify(shown))
  await renderConsole({ records, prepare })
  const cellsOf = (name: string) =>
    within(screen.getByRole('checkbox', { name: `Select ${name}` }).closest('tr') as HTMLElement)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
      .slice(-4, -1)
  await waitFor(() => expect(cellsOf('web-1')).toEqual(['2', '0', 'Yes']))
  expect(cellsOf('web-2')).toEqual(['0', '–', '–'])
  expect(cellsOf('web-3')).toEqual(['–', '–', '–'])
})

it('a filter finds the servers with failed units, also while the column is hidden', async () => {
  await renderConsole({ path: `/dashboard${filteredList({ failed_units: 'some' })}`, records, prepare })
  await screen.findByRole('checkbox', { name: 'Select web-1' })
  expect(screen.queryByRole('checkbox', { name: 'Select web-2' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: 'Select web-3' })).toBeNull()
})

it('neither columns nor filters are offered in front of other servers', async () => {
  const { user } = await renderConsole({ records, prepare: alterSetting({}, { wheelhouse: undefined }) })
  await screen.findByRole('checkbox', { name: 'Select web-1' })
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
  await panel.findByLabelText('Owner')
  expect(panel.queryByLabelText('Failed units')).toBeNull()
})
