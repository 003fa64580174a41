import { ThemeProvider } from '@mui/material/styles'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { Profiler } from 'react'
import { CoreAdminContext, RecordContextProvider, testDataProvider } from 'react-admin'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { ServerRow } from '../../../src/components/serverMetrics.ts'
import { theme } from '../../../src/components/theme/theme.ts'
import { useLiveStatus } from '../../../src/live/liveStatus.ts'
import { liveSnapshot, startLive, stopLive, stopLiveEverywhere } from '../../../src/live/store.ts'
import {
  AgentVersion,
  CpuMeter,
  DiskMeter,
  LastSeen,
  MemoryMeter,
  NetworkTraffic,
  ServerStatus,
} from '../../../src/resources/server/cells.tsx'
import { openInPage, sendFrame } from '../../support/console/liveServer.ts'
import { FakeSocket } from '../../support/fakes/fakeWebSocket.ts'

const zeroTime = '0001-01-01T00:00:00Z'
const GiB = 1024 ** 3
const host = { mem_total: 16 * GiB, disk_total: 100 * GiB, cpu: ['Test processor'], version: '1.2.3' }
const state = { cpu: 20, mem_used: 4 * GiB, disk_used: 50 * GiB, net_in_speed: 2048, net_out_speed: 1024, uptime: 60 }

const cells = { ServerStatus, CpuMeter, MemoryMeter, DiskMeter, NetworkTraffic, LastSeen, AgentVersion }

/** Which cells rendered since it was last emptied: 'CpuMeter 1'. */
let rendered: string[] = []

async function showRows(records: ServerRow[], locale: Locale = 'en-US') {
  const i18nProvider = await createI18nProvider(locale)
  const view = (rows: ServerRow[]) => (
    <CoreAdminContext i18nProvider={i18nProvider} dataProvider={testDataProvider()}>
      <ThemeProvider theme={theme}>
        {rows.map((record) => (
          <RecordContextProvider value={record} key={record.id}>
            <section aria-label={`row ${record.id}`}>
              {Object.entries(cells).map(([name, Cell]) => (
                <Profiler key={name} id={`${name} ${record.id}`} onRender={(id) => rendered.push(id)}>
                  <div data-testid={name}>
                    <Cell />
                  </div>
                </Profiler>
              ))}
            </section>
          </RecordContextProvider>
        ))}
      </ThemeProvider>
    </CoreAdminContext>
  )
  const { rerender } = render(view(records))
  await act(async () => {}) // the feed learns in a microtask what is on screen
  rendered = []
  return { showInstead: (rows: ServerRow[]) => act(async () => rerender(view(rows))) }
}

const cell = (id: number, name: keyof typeof cells) =>
  within(screen.getByRole('region', { name: `row ${id}` })).getByTestId(name)
/** Its text, with plain spaces. */
const cellText = (id: number, name: keyof typeof cells) => (cell(id, name).textContent ?? '').replace(/\s/g, ' ').trim()

function Status() {
  const line = useLiveStatus()
  return <output>{[line.state, line.watching].filter(Boolean).join(' ')}</output>
}

const row = (id: number, more: object = {}): ServerRow => ({
  id,
  name: `server ${id}`,
  contract: null,
  team: 0,
  display_index: 0,
  host,
  state,
  last_active: new Date().toISOString(),
  ...more,
})

beforeEach(() => {
  FakeSocket.opened = []
  startLive({ open: openInPage })
})

afterEach(() => {
  stopLive()
  cleanup()
  vi.useRealTimers()
})

describe('Live metrics', () => {
  it('render only the cell whose value has changed', async () => {
    await showRows([row(1), row(2)])
    await sendFrame([
      { id: 1, host, state },
      { id: 2, host, state },
    ])
    rendered = []
    await sendFrame([
      { id: 1, host, state: { ...state, cpu: 42 } },
      { id: 2, host, state },
    ])
    expect(rendered).toEqual(['CpuMeter 1'])
    expect(cellText(1, 'CpuMeter')).toBe('42%')
    expect(cellText(2, 'CpuMeter')).toBe('20%')
  })

  it('render nothing when a frame brings the same values, or changes too small to be seen', async () => {
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state }])
    rendered = []
    await sendFrame([{ id: 1, host, state: { ...state, cpu: 20.3, mem_used: 4 * GiB + 1, uptime: 62 } }])
    expect(rendered).toEqual([])
  })

  it('come from the record until the first frame', async () => {
    await showRows([row(1)])
    expect(cellText(1, 'ServerStatus')).toBe('Online')
    expect(cellText(1, 'CpuMeter')).toBe('20%')
    expect(cellText(1, 'MemoryMeter')).toBe('25%')
    expect(cellText(1, 'DiskMeter')).toBe('50%')
    expect(cellText(1, 'NetworkTraffic')).toBe('1.0 KiB/s ↑ 2.0 KiB/s ↓')
  })

  it('are zero, not the old value, when a frame leaves a zero out', async () => {
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state: { uptime: 61 } }])
    expect(cellText(1, 'CpuMeter')).toBe('0%')
    expect(cellText(1, 'NetworkTraffic')).toBe('0.0 KiB/s ↑ 0.0 KiB/s ↓')
  })

  it('reach a row that comes into view without waiting for the next frame', async () => {
    const { showInstead } = await showRows([row(1)])
    await sendFrame([
      { id: 1, host, state },
      { id: 2, host, state: { ...state, cpu: 77 } },
    ])
    await showInstead([row(2)])
    expect(cellText(2, 'CpuMeter')).toBe('77%')
  })

  it('mark a bar from 75 and from 90 percent', async () => {
    await showRows([row(1)])
    const levelAt = async (cpu: number) => {
      await sendFrame([{ id: 1, host, state: { ...state, cpu } }])
      return cell(1, 'CpuMeter').querySelector('.track')?.getAttribute('data-level')
    }
    expect(await levelAt(74)).toBe('normal')
    expect(await levelAt(75)).toBe('warning')
    expect(await levelAt(89)).toBe('warning')
    expect(await levelAt(90)).toBe('danger')
  })

  it('are shown in full on hover, as they are then', async () => {
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state: { ...state, mem_used: 8 * GiB } }])
    const meter = cell(1, 'MemoryMeter').firstElementChild as HTMLElement
    fireEvent.pointerEnter(meter)
    expect(meter.title.replace(/\s/g, ' ')).toBe('Memory: 8 GiB / 16 GiB')
  })
})

describe('An offline server', () => {
  it('shows for how long, by the server’s clock and not by the browser’s', async () => {
    const now = Date.parse('2001-01-01T12:00:00Z')
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state, last_active: new Date(now - 200 * 60_000).toISOString() }], { now })
    expect(cellText(1, 'ServerStatus')).toBe('Offline for 3 h')
    expect(cellText(1, 'LastSeen')).toBe('3 h ago')
  })

  it('names no duration in its first minute, while its last report was just now', async () => {
    const now = Date.parse('2001-01-01T12:00:00Z')
    await showRows([row(1)])
    const wentOffline = async (seconds: number) =>
      sendFrame([{ id: 1, host, state, last_active: new Date(now - seconds * 1000).toISOString() }], { now })
    await wentOffline(40)
    expect([cellText(1, 'ServerStatus'), cellText(1, 'LastSeen')]).toEqual(['Offline', 'just now'])
    await wentOffline(70)
    expect([cellText(1, 'ServerStatus'), cellText(1, 'LastSeen')]).toEqual(['Offline for 1 min', '1 min ago'])
  })

  it('shows no live metrics except how full its disks were', async () => {
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state, last_active: zeroTime }])
    expect(cellText(1, 'CpuMeter')).toBe('–')
    expect(cellText(1, 'MemoryMeter')).toBe('–')
    expect(cellText(1, 'NetworkTraffic')).toBe('–')
    expect(cellText(1, 'DiskMeter')).toBe('50%')
  })

  it('is one that is missing from the frames', async () => {
    await showRows([row(1), row(2)])
    await sendFrame([{ id: 1, host, state }])
    expect(cellText(1, 'ServerStatus')).toBe('Online')
    expect(cellText(2, 'ServerStatus')).toMatch(/^Offline/)
  })

  it('is offline without a time when it is unknown since when', async () => {
    await showRows([row(1, { host: {}, state: {}, last_active: zeroTime })])
    expect(cellText(1, 'ServerStatus')).toBe('Offline')
    expect(cellText(1, 'LastSeen')).toBe('Unknown')
    expect(cellText(1, 'AgentVersion')).toBe('Unknown')
  })

  it('is shown in the person’s language', async () => {
    const now = Date.now()
    await showRows([row(1)], 'de-DE')
    await sendFrame([{ id: 1, host, state, last_active: new Date(now - 200 * 60_000).toISOString() }], { now })
    expect(cellText(1, 'ServerStatus')).toBe('Offline seit 3 h')
  })
})

describe('The end of a session', () => {
  it('closes the socket and shows the records again', async () => {
    await showRows([row(1)])
    await sendFrame([{ id: 1, host, state: { ...state, cpu: 90 } }])
    act(stopLive)
    expect(FakeSocket.newest.isClosed).toBe(true)
    expect(cellText(1, 'CpuMeter')).toBe('20%')
  })

  it('stops the live metrics of other tabs', async () => {
    const otherTab = new BroadcastChannel('wheelhouse')
    otherTab.postMessage({ type: 'stop-live' })
    await vi.waitFor(() => expect(FakeSocket.newest.isClosed).toBe(true))
    otherTab.close()
  })

  it('is announced to the other tabs', async () => {
    const otherTab = new BroadcastChannel('wheelhouse')
    const onMessage = vi.fn()
    otherTab.onmessage = ({ data }) => onMessage(data)
    stopLiveEverywhere()
    expect(FakeSocket.newest.isClosed).toBe(true)
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalledWith({ type: 'stop-live' }))
    otherTab.close()
  })

  it('keeps a lost socket from reconnecting', async () => {
    stopLive()
    vi.useFakeTimers()
    startLive({ open: openInPage, mayReconnect: async () => false })
    await vi.advanceTimersByTimeAsync(0)
    const { length } = FakeSocket.opened
    FakeSocket.newest.break()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(FakeSocket.opened).toHaveLength(length)
  })
})

describe('The state of the live socket', () => {
  it('goes from connecting to live to lost, and says how many watch', async () => {
    render(<Status />)
    const status = screen.getByRole('status')
    expect(status).toHaveProperty('textContent', 'connecting')
    await sendFrame([], { online: 4 })
    expect(status).toHaveProperty('textContent', 'live 4')
    act(() => FakeSocket.newest.break())
    expect(status).toHaveProperty('textContent', 'lost')
  })

  it('gives the metrics of all servers for sorting, also those not on screen', async () => {
    await sendFrame([{ id: 5, host, state }])
    expect((await liveSnapshot()).get(5)).toMatchObject({ id: 5, online: true })
    stopLive()
    expect((await liveSnapshot()).get(5)).toBeUndefined()
  })
})
