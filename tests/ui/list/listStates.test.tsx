import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

const open = (count: number, prepare?: (app: FastifyInstance) => void) =>
  renderConsole({
    extension: withDrills,
    path: '/dashboard/drill',
    records: { drill: drillRecords(count) },
    prepare,
  })

/** Runs before each reply to a list. */
const beforeTheList = (work: () => Promise<void> | void) => (app: FastifyInstance) => {
  app.addHook('preHandler', async ({ url }) => {
    if (url.endsWith('/drill')) await work()
  })
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

describe('A list', () => {
  it('says that it is loading while the server is slow', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await open(
      1,
      beforeTheList(() => answered),
    )
    await screen.findByText('Loading')
    expect(screen.queryByText('No results')).toBeNull()
    answer()
    await screen.findByText('Drill 1')
    expect(screen.queryByText('Loading')).toBeNull()
  })

  it('without rows keeps its headings, explains the entity, and offers Create', async () => {
    await open(0)
    await screen.findByText('No results')
    expect(screen.getByText(/^Drills are times in which you practise an outage on servers/)).toBeTruthy()
    expect(headings()).toEqual(expect.arrayContaining(['ID', 'Name', 'Last start']))
    const table = screen.getByRole('table')
    expect(within(table).getByRole('link', { name: 'Create' }).getAttribute('href')).toBe('/dashboard/drill/create')
  })

  it("that fails shows the server's words instead of an empty table, and Retry reads it again", async () => {
    let isBroken = true
    const errors = catchErrors()
    const { user } = await open(
      2,
      beforeTheList(() => {
        if (isBroken) throw new ApiError('the disk is full')
      }),
    )
    await screen.findByText('Error Fetching Resource : the disk is full')
    expect(screen.queryByRole('table')).toBeNull()
    expect(errors()).toContain('the disk is full')
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(shownIds()).toEqual([1, 2]))
    expect(screen.queryByText(/^Error Fetching/)).toBeNull()
  })

  it('whose reply is not JSON, as from a proxy, shows the HTTP status', async () => {
    catchErrors()
    await open(1, (app) => {
      app.addHook('onRequest', async ({ url }, reply) => {
        if (url.endsWith('/drill')) return reply.code(502).type('text/html').send('<h1>Bad Gateway</h1>')
      })
    })
    await screen.findByText('Error Fetching Resource : 502 Bad Gateway')
  })

  it('says that the server cannot be reached when nothing answers; rows that are loaded stay', async () => {
    catchErrors()
    const { user, network } = await open(1)
    await screen.findByText('Drill 1')
    network.isDown = true
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText(/^The server has been unreachable since/)
    expect(shownIds()).toEqual([1])
    await user.click(screen.getByRole('link', { name: 'DDNS' }))
    await screen.findByText(
      'Error Fetching Resource : The server cannot be reached. Check the connection and try again.',
    )
    network.isDown = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('No results')
  })
})
