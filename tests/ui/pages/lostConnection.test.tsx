import { ThemeProvider } from '@mui/material/styles'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { CoreAdminContext, testDataProvider } from 'react-admin'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { markUnreachable } from '../../../src/api/connectivity.ts'
import { ConnectionBar } from '../../../src/app/layout/Layout.tsx'
import { theme } from '../../../src/components/theme/theme.ts'
import type { Trouble } from '../../../src/domain/trouble/trouble.ts'
import { startLive, stopLive } from '../../../src/live/store.ts'
import { setTrouble } from '../../../src/live/trouble.ts'
import { openInPage, sendFrame } from '../../support/console/liveServer.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { FakeSocket } from '../../support/fakes/fakeWebSocket.ts'

const offline = (id: number): Trouble => ({
  key: `server ${id}`,
  kind: 'server_offline',
  severity: 'critical',
  name: `db-${id}`,
  server_id: id,
})
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))
const bar = () => screen.getByRole('status').textContent?.replace(/\s/g, ' ')
const looksDead = () => document.documentElement.hasAttribute('data-lost')

describe('A connection without live frames', () => {
  beforeEach(async () => {
    FakeSocket.opened = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    startLive({ open: openInPage })
    const i18nProvider = await createI18nProvider('en-US')
    render(
      <CoreAdminContext i18nProvider={i18nProvider} dataProvider={testDataProvider()}>
        <ThemeProvider theme={theme}>
          <ConnectionBar />
        </ThemeProvider>
      </CoreAdminContext>,
    )
  })

  afterEach(() => {
    stopLive()
    setTrouble(undefined)
    cleanup()
    vi.useRealTimers()
  })

  it('looks dead after 6 s and says since when, and not any more with the next frame', async () => {
    await sendFrame([{ id: 1 }])
    await pass(5_900)
    expect([bar(), looksDead()]).toEqual(['', false])
    await pass(200)
    expect(bar()).toMatch(/^No live data since \d+:\d+:\d+ [AP]M\. Reconnecting…$/)
    expect(looksDead()).toBe(true)
    await sendFrame([{ id: 1 }])
    expect([bar(), looksDead()]).toEqual(['', false])
  })

  it('says the same where the first frame never comes', async () => {
    act(() => FakeSocket.newest.break())
    await pass(6_100)
    expect(bar()).toMatch(/^No live data since/)
  })

  it('says in one line what has changed meanwhile, once it is back', async () => {
    setTrouble([offline(1), offline(2)])
    await sendFrame([{ id: 1 }])
    await pass(9_000)
    await sendFrame([{ id: 1 }])
    act(() => setTrouble([offline(2), offline(3), offline(4), offline(5), offline(6)]))
    await keepAlive()
    expect(bar()).toBe('Connected again after 9 s. New: db-3, db-4, db-5, + 1. Over: db-1.')
  })

  it('says so when nothing has changed, and for a while only', async () => {
    await sendFrame([{ id: 1 }])
    await pass(7_000)
    await sendFrame([{ id: 1 }])
    await keepAlive()
    expect(bar()).toBe('Connected again after 7 s. Nothing is different.')
    for (let n = 0; n < 6; n++) await keepAlive()
    expect(bar()).toBe('')
  })

  const keepAlive = async () => {
    for (let n = 0; n < 2; n++) {
      await pass(2_000)
      await sendFrame([{ id: 1 }])
    }
  }
})

it('An action that asks nothing otherwise does while the connection is lost, and says why', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { user, network } = await renderConsole({
    path: '/dashboard/cron',
    records: {
      cron: [{ name: 'Backup', scheduler: '0 0 3 * * *', command: 'true', cover: 0, servers: [1] }],
      server: [{ name: 'web' }],
    },
  })
  const hasRun = () => network.sent.some(({ path }) => path.endsWith('/manual'))
  await screen.findByText('Backup')
  network.isDown = true
  act(() => markUnreachable())
  await screen.findByText(/^The server has been unreachable since/)
  await user.click(screen.getByRole('button', { name: 'Actions for Backup' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Run now' }))
  const question = await screen.findByRole('alertdialog', { name: 'Run now' })
  within(question).getByText(/^There has been no data since .* do it all the same\?$/)
  expect(hasRun()).toBe(false)
  network.isDown = false
  await user.click(within(question).getByRole('button', { name: 'Run now' }))
  await vi.waitFor(() => expect(hasRun()).toBe(true))
})
