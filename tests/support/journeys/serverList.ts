import { expect, type Locator, type Page } from '@playwright/test'
import type { RecordOf } from '../../../src/schemas/define/entity.ts'
import type { server } from '../../../src/schemas/server.ts'
import type { serverGroup } from '../../../src/schemas/serverGroup.ts'

export type ServerRecord = RecordOf<typeof server>

/** The server list as a person at the screen reads and handles it. */
export function serverList(page: Page) {
  const table = page.getByRole('table', { name: 'Servers' })
  const rows = table.locator('tbody').getByRole('row')
  return {
    rows,
    search: page.getByRole('searchbox', { name: 'Search' }),
    heading: (name: string) => table.getByRole('columnheader', { name, exact: true }),
    /** Sorts by a column; a second call turns the order round. Waits until the heading says so. */
    async sortBy(name: string) {
      const heading = table.getByRole('columnheader', { name, exact: true })
      const before = await heading.getAttribute('aria-sort')
      await heading.getByRole('button').click()
      await expect(heading).toHaveAttribute('aria-sort', before === 'ascending' ? 'descending' : 'ascending')
    },
    /** Ids of the rows on screen, from the top. */
    ids: () => page.evaluate(readIds),
    tick: (index: number, options?: { modifiers: ['Shift'] }) => rows.nth(index).getByRole('checkbox').click(options),
    selectPage: () => page.getByRole('checkbox', { name: 'Select all rows on this page' }).click(),
    deleteSelected: page.getByRole('button', { name: 'Delete selected' }),
    /** Opens the filters, sets one by its label, and closes them. */
    async filter(label: string, choice: string) {
      await page.getByRole('button', { name: 'Filters', exact: true }).click()
      const panel = page.getByRole('dialog', { name: 'Filters' })
      await panel.getByLabel(label, { exact: true }).selectOption(choice)
      await page.keyboard.press('Escape')
      await expect(panel).toBeHidden()
    },
    /** Opens what concerns the list as a whole: named views, export, columns. */
    async openMenu(): Promise<Locator> {
      await page.getByRole('button', { name: 'View options' }).click()
      return page.getByRole('dialog', { name: 'View options' })
    },
    /** Waits until the list says that so many records match. */
    expectTotal: (count: number) => expect(page.getByText(`Total: ${count.toLocaleString('en-US')}`)).toBeVisible(),
  }
}

const readIds = () =>
  [...document.querySelectorAll('tbody tr[data-row]')].map((row) =>
    Number(/\/(\d+)(?:\/|$)/.exec(row.querySelector('a')?.pathname ?? '')?.[1]),
  )

/** All servers, as the API sends them to the signed-in browser of the page. */
export const allServers = (page: Page) => read<ServerRecord[]>(page, 'server')

/** All server groups, in the spelling of the wire. */
export const allGroups = (page: Page) =>
  read<{ group: Pick<RecordOf<typeof serverGroup>, 'id' | 'name'>; servers: number[] | null }[]>(page, 'server-group')

/** The data of a call, as the signed-in browser of the page gets them. */
export async function read<Data>(page: Page, path: string): Promise<Data> {
  const reply = await page.request.get(`/api/v1/${path}`)
  return ((await reply.json()) as { data: Data }).data
}

/** The row of the one machine in the list of servers. */
export async function onlyMachine(page: Page): Promise<Locator> {
  const machine = page.getByRole('table', { name: 'Servers' }).locator('tr[data-row]')
  await expect(machine).toHaveCount(1)
  return machine
}

/** The machine reports, and goes on doing so. */
export async function expectLiveMetrics(machine: Locator): Promise<void> {
  await expect(machine.getByText('Online', { exact: true })).toBeVisible()
  const metrics = () => machine.innerText()
  await expect.poll(metrics).toMatch(/\d+\s?%/)
  const first = await metrics()
  await expect.poll(metrics, { message: 'the metrics never changed' }).not.toBe(first)
}

/** Renames a machine by its form. */
export async function renameMachine(page: Page, machine: Locator, name: string): Promise<void> {
  await machine.getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
}
