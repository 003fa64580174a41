import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const servers = Array.from({ length: 300 }, (_, index) => ({
  uuid: `uuid-${index + 1}`,
  name: `web-${index + 1}`,
  display_index: 0,
}))

// jsdom hides what waits for the top layer, and has none.
beforeAll(() => {
  HTMLElement.prototype.showPopover = function show() {
    this.removeAttribute('popover')
  }
})
afterAll(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
})

/** A group of 300 servers. */
async function open() {
  const { user } = await renderConsole({
    path: '/dashboard/server-group',
    records: {
      server: servers,
      'server-group': [{ name: 'Everywhere', servers: servers.map((_, index) => index + 1) }],
    },
  })
  const more = await screen.findByRole('button', { name: 'Servers: + 297 more' })
  return { user, more }
}

const list = () => screen.queryByRole('list', { name: 'Servers' })

async function expectAllNames() {
  // Names of the last visit are there before the servers, and lead nowhere yet.
  await screen.findByRole('link', { name: 'web-300' })
  const names = within(await screen.findByRole('list', { name: 'Servers' })).getAllByRole('listitem')
  expect(names).toHaveLength(300)
  expect(names.at(-1)).toHaveTextContent('web-300')
}

describe('"+ 297 more"', () => {
  it('shows the whole list by name on hover, for as long as the pointer is there', async () => {
    const { user, more } = await open()
    expect(list()).toBeNull()
    await user.hover(more)
    await expectAllNames()
    await user.hover(screen.getByRole('link', { name: 'web-200' }))
    await user.unhover(screen.getByRole('link', { name: 'web-200' }))
    await waitFor(() => expect(list()).toBeNull())
  })

  it('shows it on focus; arrows move in it, Escape closes it, and Enter opens a server', async () => {
    const { user, more } = await open()
    more.focus()
    await expectAllNames()
    await user.tab()
    expect(screen.getByRole('link', { name: 'web-1' })).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(screen.getByRole('link', { name: 'web-3' })).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(list()).toBeNull()
    expect(more).toHaveFocus()
    await user.keyboard('{Enter}')
    await expectAllNames()
    await user.tab()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/server/1/overview'))
  })

  it('shows it by a tap, which does not open the row, until a tap elsewhere', async () => {
    const { user, more } = await open()
    await user.pointer({ keys: '[TouchA]', target: more })
    await expectAllNames()
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.pointer({ keys: '[TouchA]', target: screen.getByRole('heading', { name: /Server groups/ }) })
    await waitFor(() => expect(list()).toBeNull())
  })
})

describe('The question before a deletion', () => {
  it('shows the whole list of what it is about', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/server-group',
      records: {
        'server-group': Array.from({ length: 8 }, (_, index) => ({ name: `Group ${index + 1}`, servers: [] })),
      },
    })
    await screen.findByText('Group 1')
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await user.click(screen.getByRole('button', { name: 'Delete selected' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Server groups: + 3 more' }))
    const all = within(await question.findByRole('list', { name: 'Server groups' })).getAllByRole('listitem')
    expect(all).toHaveLength(8)
    await user.keyboard('{Escape}')
    expect(question.queryByRole('list', { name: 'Server groups' })).toBeNull()
    expect(screen.getByRole('alertdialog')).toBeVisible()
  })
})

describe('A form', () => {
  it('shows the whole list of what is chosen, and keys there take no name away', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/server-group/1',
      records: { server: servers.slice(0, 6), 'server-group': [{ name: 'Web', servers: [1, 2, 3, 4, 5, 6] }] },
    })
    const form = within(await screen.findByRole('dialog'))
    await user.click(await form.findByRole('button', { name: 'Servers: + 3 more' }))
    await user.keyboard('{Backspace}{Delete}')
    expect(within(await form.findByRole('list', { name: 'Servers' })).getAllByRole('listitem')).toHaveLength(6)
    await user.keyboard('{Escape}')
    expect(form.queryByRole('list', { name: 'Servers' })).toBeNull()
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})
