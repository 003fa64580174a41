import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = {
  server: [
    { name: 'web-1', uuid: 'u-1' },
    { name: 'web-2', uuid: 'u-2' },
  ],
}
const measured = alterReplies('wheelhouse/last-hour', () => ({ 1: [null, 10, 20.5, 15], 2: [] }))
const showColumn = () =>
  localStorage.setItem('wheelhouse.choices.table.server.columns', JSON.stringify({ last_hour: true }))

describe('The column with the last hour', () => {
  it('is off at first, and then asks for nothing', async () => {
    const { network } = await renderConsole({ records, prepare: measured })
    await screen.findByRole('checkbox', { name: 'Select web-1' })
    expect(screen.queryByRole('columnheader', { name: 'Last hour' })).toBeNull()
    expect(network.sent.filter(({ path }) => path.includes('last-hour'))).toEqual([])
  })

  it('draws a line for each row with one request for the page, of the metric that somebody chooses', async () => {
    showColumn()
    const { user, network } = await renderConsole({ records, prepare: measured })
    const line = await screen.findByRole('img', { name: 'CPU in the last hour: 10% to 20.5%, now 15%' })
    expect(line.querySelector('path')?.getAttribute('d')).toMatch(/^M37\.7 \d.*L74\.3 .*L111\.0 /)
    const asked = () => network.sent.map(({ path }) => path).filter((path) => path.includes('last-hour'))
    expect(asked()).toEqual([expect.stringMatching(/metric=cpu&ids=(1%2C2|2%2C1)$/)])
    await user.click(screen.getByRole('button', { name: 'View options' }))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Last hour' }), 'Load')
    await user.keyboard('{Escape}')
    await screen.findByRole('img', { name: 'Load in the last hour: 10 to 20.5, now 15' })
    expect(asked()).toHaveLength(2)
    await waitFor(() => expect(localStorage.getItem('wheelhouse.choices.table.server.lastHour')).toBe('"load1"'))
  })

  it('is absent where the server does not support it', async () => {
    showColumn()
    await renderConsole({ records, prepare: alterSetting({}, { wheelhouse: undefined }) })
    await screen.findByRole('checkbox', { name: 'Select web-1' })
    expect(screen.queryByRole('columnheader', { name: 'Last hour' })).toBeNull()
  })
})
