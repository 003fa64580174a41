import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenFeedWorker } from '../../../src/live/store.ts'
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

it('Who points at a live heading has its order in the drawing of the click', async () => {
  const user = await showServers()
  await user.hover(heading('CPU'))
  expect(snapshotsAsked).toBe(1)
  // What was asked for has come by the time that somebody clicks.
  await act(async () => {})
  act(() => heading('CPU').click())
  expect(names()).toEqual(['web', 'mail', 'db'])
  expect(snapshotsAsked).toBe(1)
})

it('Who presses a live heading long after pointing at it has the order of the press', async () => {
  const user = await showServers()
  await user.hover(heading('CPU'))
  const [first, ...others] = rows()
  await sendFrame([
    { id: first?.id ?? 0, host: {}, state: { cpu: 99 } },
    ...others.map(({ id }) => ({ id, host: {}, state: { cpu: 1 } })),
  ])
  expect(snapshotsAsked).toBe(1)
  await user.pointer({ keys: '[MouseLeft>]', target: heading('CPU') })
  expect(snapshotsAsked).toBe(2)
  await act(async () => {})
  act(() => heading('CPU').click())
  expect(names().at(-1)).toBe(first?.name)
  expect(snapshotsAsked).toBe(2)
})

it('Who comes to a live heading with the keyboard has its order just as soon', async () => {
  await showServers()
  act(() => heading('CPU').focus())
  expect(snapshotsAsked).toBe(1)
  await act(async () => {})
  act(() => heading('CPU').click())
  expect(names()).toEqual(['web', 'mail', 'db'])
})

it('A click without either sorts as well, and headings of records ask for no metrics', async () => {
  const user = await showServers()
  await user.hover(heading('Name'))
  act(() => heading('Name').focus())
  expect(snapshotsAsked).toBe(0)
  act(() => heading('CPU').click())
  await waitFor(() => expect(names()).toEqual(['web', 'mail', 'db']))
})
