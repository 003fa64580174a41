import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenFeedWorker } from '../../../src/live/feedWorker.ts'
import { startLive, stopLive } from '../../../src/live/store.ts'
import { openInPage, sendFrame } from '../../support/console/liveServer.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

/** How many snapshots of all servers the page has asked its feed for. */
let snapshotsAsked = 0

const openCounted: OpenFeedWorker = (receive) => {
  const feed = openInPage(receive)
  return {
    ...feed,
    post(request) {
      if (request.type === 'snapshot') snapshotsAsked++
      feed.post(request)
    },
  }
}

async function showServers() {
  startLive({ open: openCounted })
  onTestFinished(stopLive)
  const servers = ['web', 'db', 'mail'].map((name, at) => ({ name, display_index: 30 - 10 * at }))
  const { user } = await renderConsole({ records: { server: servers } })
  await screen.findByRole('link', { name: /^web/ })
  const cpuOf = { web: 20, db: 90, mail: 50 }
  const ids = new Map(rows().map(({ name, id }) => [name, id]))
  await sendFrame(Object.entries(cpuOf).map(([name, cpu]) => ({ id: ids.get(name) ?? 0, host: {}, state: { cpu } })))
  // The summary above the list has asked for one of its own.
  snapshotsAsked = 0
  return user
}

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('tbody tr[data-row]')].map((row) => ({
    id: Number(row.dataset.row),
    name: row.querySelector<HTMLElement>('.name-link')?.title ?? '',
  }))
const names = () => rows().map(({ name }) => name)
const heading = (name: string) => screen.getByRole('button', { name })

it.each(['points at a live heading', 'comes to it with the keyboard'])(
  'Who %s has asked for what its order needs before the click',
  async (how) => {
    const user = await showServers()
    if (how.startsWith('points')) await user.hover(heading('CPU'))
    else act(() => heading('CPU').focus())
    expect(snapshotsAsked).toBe(1)
    act(() => heading('CPU').click())
    await waitFor(() => expect(names()).toEqual(['web', 'mail', 'db']))
  },
)

it('A click without either sorts as well, and headings of records ask for no metrics', async () => {
  const user = await showServers()
  await user.hover(heading('Name'))
  act(() => heading('Name').focus())
  expect(snapshotsAsked).toBe(0)
  act(() => heading('CPU').click())
  await waitFor(() => expect(names()).toEqual(['web', 'mail', 'db']))
})
