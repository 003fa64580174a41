import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { address, shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecord, drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'

const open = (query: string, drill: Record<string, unknown>[]) =>
  renderConsole({ extension: withDrills, path: `/dashboard/drill${query}`, records: { drill } })

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('A list', () => {
  it('sorts by every column, ascending and descending, with missing values last', async () => {
    const { user } = await renderConsole({
      extension: withDrills,
      path: '/dashboard/drill',
      records: {
        server: [{ name: 'zeta' }, { name: 'web' }],
        drill: [
          {
            ...drillRecord({
              name: 'Kernel 10',
              servers: [2],
              repeat: 2,
              starts_at: '2026-12-01T10:00:00Z',
              duration: 60,
            }),
            mute_alerts: false,
            last_started_at: '2026-11-02T00:00:00Z',
          },
          drillRecord({ name: 'Kernel 9', servers: [1], repeat: 0, starts_at: '2026-12-01T23:30:00Z', duration: 5 }),
          {
            ...drillRecord({ name: 'backup', servers: [], repeat: 1, starts_at: '2026-12-01T04:15:00Z', duration: 30 }),
            last_started_at: '2026-11-01T00:00:00Z',
          },
        ],
      },
    })
    await screen.findByText('backup')
    const orders: Record<string, [number[], number[]]> = {
      Name: [
        [3, 2, 1],
        [1, 2, 3],
      ],
      Servers: [
        [1, 2, 3],
        [2, 1, 3],
      ],
      Repeat: [
        [2, 3, 1],
        [1, 3, 2],
      ],
      'Starts at': [
        [3, 1, 2],
        [2, 1, 3],
      ],
      Minutes: [
        [2, 3, 1],
        [1, 3, 2],
      ],
      'Mute alerts': [
        [1, 2, 3],
        [2, 3, 1],
      ],
      'Last start': [
        [3, 1, 2],
        [1, 3, 2],
      ],
      ID: [
        [1, 2, 3],
        [3, 2, 1],
      ],
    }
    const headings = screen.getAllByRole('columnheader')
    expect(
      headings
        .map((heading) => heading.textContent)
        .slice(1, -1)
        .sort(),
    ).toEqual(Object.keys(orders).sort())
    for (const [name, [upwards, downwards]] of Object.entries(orders)) {
      const heading = headings.find(({ textContent }) => textContent === name) as HTMLElement
      const state = () => [name, heading.getAttribute('aria-sort'), shownIds()]
      const press = () => user.click(within(heading).getByRole('button'))
      await press()
      await waitFor(() => expect(state()).toEqual([name, 'ascending', upwards]))
      await press()
      await waitFor(() => expect(state()).toEqual([name, 'descending', downwards]))
    }
  })

  it('shows the page and the page size that the address asks for', async () => {
    await open('?page=2&pageSize=20', drillRecords(25))
    await waitFor(() => expect(shownIds()).toEqual(range(21, 25)))
    expect(screen.getByText('Total: 25')).toBeTruthy()
  })

  it.each([
    ['', range(1, 10)],
    ['?pageSize=7', range(1, 7)],
    ['?page=abc', range(1, 10)],
    ['?page=-2&pageSize=0', range(1, 10)],
    ['?pageSize=101', range(1, 10)],
    ['?pageSize=many', range(1, 10)],
    ['?page=3&pageSize=10', range(21, 25)],
    ['?page=99', range(1, 10)],
  ])('opened with "%s" shows existing rows', async (query, ids) => {
    await open(query, drillRecords(25))
    await waitFor(() => expect(shownIds()).toEqual(ids))
  })

  it('writes the page and the page size that a person chooses into the address', async () => {
    const { user } = await open('', drillRecords(25))
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(shownIds()).toEqual(range(11, 20)))
    expect(new URLSearchParams(location.search).get('page')).toBe('2')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '20')
    await waitFor(() => expect(shownIds()).toEqual(range(1, 20)))
    expect(new URLSearchParams(location.search).get('pageSize')).toBe('20')
    expect(address()).not.toContain('perPage')
  })

  it('has ellipses among its page links over five pages, and none up to five', async () => {
    await open('?pageSize=1', drillRecords(6))
    const pages = () => screen.getByRole('navigation', { name: 'Pages' }).textContent
    await waitFor(() => expect(pages()).toBe('123…6'))
    cleanup()
    await open('?pageSize=1', drillRecords(5))
    await waitFor(() => expect(pages()).toBe('12345'))
  })
})

/** Types as a browser does, without waiting for anything. */
function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

describe('The search', () => {
  it('shows its rows at once; the address follows when the typing pauses', async () => {
    const { user } = await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' })])
    await screen.findByText('backup')
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ker')
    await waitFor(() => expect(shownIds()).toEqual([1]))
    await waitFor(() => expect(address()).toContain('"q":"ker"'))
  })

  it('is in the address of a dialog that is opened before the typing has paused, and of the way back', async () => {
    const { user } = await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' })])
    await screen.findByText('backup')
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ker')
    await user.click(await screen.findByRole('link', { name: 'Kernel' }))
    await screen.findByRole('dialog')
    expect(address()).toContain('"q":"ker"')
    history.back()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toContain('"q":"ker"')
    expect(shownIds()).toEqual([1])
  })

  it('is in the address of a page that is left or reloaded before the typing has paused', async () => {
    const { user } = await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' })])
    await screen.findByText('backup')
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ker')
    globalThis.dispatchEvent(new Event('pagehide'))
    expect(address()).toContain('"q":"ker"')
  })

  it('is not written into the address of a screen that somebody is on the way to', async () => {
    await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' })])
    await screen.findByText('backup')
    const search = screen.getByRole('searchbox', { name: 'Search' })
    // A click by script: the helper's own click would wait until the next screen is drawn.
    screen.getByRole('link', { name: /back to home/i }).click()
    for (let turn = 0; turn < 100 && location.pathname !== '/dashboard'; turn += 1) await Promise.resolve()
    expect([location.pathname, search.isConnected]).toEqual(['/dashboard', true])
    typeInto(search as HTMLInputElement, 'ba')
    await screen.findByRole('heading', { name: /^Servers/ })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(address()).toBe('/dashboard')
  })

  it('is not carried to another list by a link of the navigation, which draws that list within the click', async () => {
    await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'backup' })])
    await screen.findByText('backup')
    typeInto(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' }), 'ba')
    screen.getByRole('link', { name: 'Task' }).click()
    expect([address(), screen.queryByText('backup')]).toEqual(['/dashboard/cron', null])
    await screen.findByRole('heading', { name: /^Tasks/ })
  })

  it('by a filter of text takes every letter, however fast', async () => {
    const { user } = await open('', [drillRecord({ name: 'Kernel' }), drillRecord({ name: 'keys' })])
    await screen.findByText('keys')
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
    const name = panel.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
    await user.type(name, 'key')
    expect(name.value).toBe('key')
    await waitFor(() => expect(shownIds()).toEqual([2]))
  })
})
