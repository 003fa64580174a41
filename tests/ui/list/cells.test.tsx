import { ThemeProvider } from '@mui/material/styles'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import {
  CoreAdminContext,
  RecordContextProvider,
  ResourceContextProvider,
  testDataProvider,
  useNotificationContext,
} from 'react-admin'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createI18nProvider } from '../../../i18n/index.ts'
import { CopyCell } from '../../../src/components/cells/CopyCell.tsx'
import { ServerId } from '../../../src/components/cells/idCells.tsx'
import { theme } from '../../../src/components/theme/theme.ts'
import { applyEntries } from '../../../src/live/store.ts'
import { CpuMeter, NoteButtons, ServerAddress, ServerName } from '../../../src/resources/server/cells.tsx'
import { serverGroups } from '../../../src/resources/server/columns.ts'
import { addressText } from '../../../src/resources/server/serverTexts.ts'

const groups = [
  { id: 1, name: 'Asia', servers: [7] },
  { id: 2, name: 'Edge', servers: [7, 8] },
  { id: 3, name: 'Empty', servers: null },
  { id: 4, name: 'Mail', servers: [7] },
  { id: 5, name: 'Web', servers: [7] },
]
const getList = vi.fn(async () => ({ data: groups, total: groups.length }))

function Toasts() {
  const { notifications } = useNotificationContext()
  return notifications.map(({ message, type }) => <p key={String(message)}>{`${type}: ${message}`}</p>)
}

async function show(record: object, children: ReactNode) {
  const i18nProvider = await createI18nProvider('en-US')
  await i18nProvider.complete()
  const dataProvider = testDataProvider({ getList: getList as never })
  render(
    <CoreAdminContext i18nProvider={i18nProvider} dataProvider={dataProvider}>
      <ThemeProvider theme={theme}>
        <ResourceContextProvider value="server">
          <RecordContextProvider value={{ id: 7, ...record }}>{children}</RecordContextProvider>
        </ResourceContextProvider>
        <Toasts />
      </ThemeProvider>
    </CoreAdminContext>,
  )
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

let clipboard: string[] = []
const withClipboard = (writeText: ((text: string) => Promise<void>) | undefined) =>
  Object.defineProperty(navigator, 'clipboard', { value: writeText && { writeText }, configurable: true })

beforeEach(() => {
  clipboard = []
  withClipboard(async (text) => void clipboard.push(text))
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  Reflect.deleteProperty(document, 'execCommand')
})

describe('A copy button', () => {
  it('copies, and shows a tick for two seconds', async () => {
    await show({ uuid: 'abc-123' }, <CopyCell source="uuid" />)
    vi.useFakeTimers()
    await press('Copy UUID')
    expect(clipboard).toEqual(['abc-123'])
    expect(screen.queryByText('Copied')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(1999))
    expect(screen.queryByText('Copied')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('shows an error when the browser refuses', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    withClipboard(() => Promise.reject(new Error('denied')))
    await show({ uuid: 'abc-123' }, <CopyCell source="uuid" />)
    await press('Copy UUID')
    expect(screen.queryByText('error: app.toast.copy_failed')).not.toBeNull()
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('works on a page without TLS, where browsers hide the clipboard', async () => {
    withClipboard(undefined)
    document.execCommand = () => {
      clipboard.push((document.activeElement as HTMLTextAreaElement).value)
      return true
    }
    await show({ uuid: 'abc-123' }, <CopyCell source="uuid" />)
    screen.getByRole('button').focus()
    await press('Copy UUID')
    expect(clipboard).toEqual(['abc-123'])
    expect(document.querySelector('textarea')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button'))
  })

  it('does not open the row that it is in', async () => {
    const onRowClick = vi.fn()
    const rowAround = (
      // biome-ignore lint/a11y: the row of a list, of which only the click matters here
      <div onClick={onRowClick}>
        <CopyCell source="uuid" />
      </div>
    )
    await show({ uuid: 'abc-123' }, rowAround)
    await press('Copy UUID')
    expect(onRowClick).not.toHaveBeenCalled()
  })
})

describe('The notes of a server', () => {
  it('are copied one by one', async () => {
    await show({ note: 'for us', public_note: 'for all' }, <NoteButtons />)
    await press('Copy private note')
    await press('Copy public note')
    expect(clipboard).toEqual(['for us', 'for all'])
  })

  it('give a warning when there is nothing to copy', async () => {
    await show({ public_note: 'for all' }, <NoteButtons />)
    await press('Copy private note')
    expect(screen.queryByText('warning: app.toast.text_empty')).not.toBeNull()
    expect(clipboard).toEqual([])
  })
})

describe('The groups of a server', () => {
  it('are three names and then a count, and are fetched once for all rows', async () => {
    getList.mockClear()
    await show(
      {},
      <>
        <serverGroups.column.Cell />
        <RecordContextProvider value={{ id: 8 }}>
          <i>
            <serverGroups.column.Cell />
          </i>
        </RecordContextProvider>
      </>,
    )
    expect(await screen.findByText('Asia, Edge, Mail')).not.toBeNull()
    expect(screen.queryByText('Edge')).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /\+ 1 more$/ }))
    const names = [...document.querySelectorAll('li')].map(({ textContent }) => textContent)
    expect(names).toEqual(['Asia', 'Edge', 'Mail', 'Web'])
    expect(getList).toHaveBeenCalledTimes(1)
  })

  it('are what the column sorts by', () => {
    expect(serverGroups.column.sort({ id: 8 }, { related: () => groups })).toEqual(['Edge'])
    expect(serverGroups.column.sort({ id: 9 }, { related: () => groups })).toEqual([])
  })
})

describe('The addresses of a server', () => {
  const geoip = { ip: { ipv4_addr: '192.0.2.1', ipv6_addr: '2001:db8::1' } }

  it('are shown one above the other', async () => {
    await show({ geoip }, <ServerAddress />)
    expect(screen.queryByText('192.0.2.1')).not.toBeNull()
    expect(screen.queryByText('2001:db8::1')).not.toBeNull()
    expect(screen.queryByTitle('192.0.2.1/2001:db8::1')).not.toBeNull()
  })

  it('are one text, v4/v6, for sorting and export', () => {
    expect(addressText({ geoip })).toBe('192.0.2.1/2001:db8::1')
    expect(addressText({ geoip: { ip: { ipv6_addr: '2001:db8::1' } } })).toBe('2001:db8::1')
    expect(addressText({})).toBe('')
  })
})

it('shows the display index beside the id only where somebody has set one', async () => {
  await show({ display_index: 5 }, <ServerId />)
  expect(screen.queryByTitle('Display index: 5')?.textContent).toBe(' (5)')
  cleanup()
  await show({ display_index: 0 }, <ServerId />)
  expect(document.body.textContent).toBe('7')
})

it('shows the system of a machine below its name', async () => {
  await show({ name: 'web-1', host: { platform: 'debian', platform_version: '12.11' } }, <ServerName />)
  expect(screen.queryByText('web-1')).not.toBeNull()
  expect(screen.queryByText('debian 12.11')).not.toBeNull()
})

it('The meter of a metric of which nothing true is known has no value, and a metric that is left out is zero', async () => {
  const online = { name: 'web-1', last_active: '2026-11-21T12:00:00Z', state: { uptime: 5 } }
  await show({ ...online, missing: ['cpu'] }, <CpuMeter />)
  expect(screen.queryByText(/%/)).toBeNull()
  cleanup()
  await show(online, <CpuMeter />)
  expect(screen.getByText(/%/).textContent).toMatch(/^0/)
})

it('The name of a server has the addresses of all machines that report with its UUID', async () => {
  await show({ name: 'web-1', duplicate_uuid: ['203.0.113.7', '198.51.100.2'] }, <ServerName />)
  const warning = screen.getByText('UUID shared by 203.0.113.7, 198.51.100.2')
  expect(warning.title).toMatch(/Delete the uuid in the agent’s configuration/)
})

it('The warning about a shared UUID comes and goes with the live metrics, without a new list', async () => {
  await show({ name: 'web-1', host: { platform: 'debian' } }, <ServerName />)
  const live = { id: 7, online: true, seenAt: 1, host: { platform: 'debian' }, state: {} }
  act(() => applyEntries([{ ...live, duplicate_uuid: ['203.0.113.7', '198.51.100.2'] }]))
  screen.getByText('UUID shared by 203.0.113.7, 198.51.100.2')
  act(() => applyEntries([live]))
  expect(screen.queryByText(/UUID shared by/)).toBeNull()
  screen.getByText('debian')
})
