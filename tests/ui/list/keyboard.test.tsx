import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { address, shownIds, tickedRows } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'

async function open() {
  const { user } = await renderConsole({
    extension: withDrills,
    path: '/dashboard/drill',
    records: { drill: drillRecords(12) },
  })
  await screen.findByText('Drill 1')
  return user
}

const nameLink = (name: string) => screen.getByRole('link', { name })

describe('By keyboard, in a list,', () => {
  it('↓ goes to the name in the first row and then to the next, and Enter opens the record', async () => {
    const user = await open()
    await user.keyboard('{ArrowDown}')
    expect(nameLink('Drill 1')).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(nameLink('Drill 2')).toHaveFocus()
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog', { name: /Drill 2/ })
    expect(address()).toBe('/dashboard/drill/2')
  })

  it('↓ leads from the search into the rows that it found, and ↑ back to it', async () => {
    const user = await open()
    await user.keyboard('/')
    const search = screen.getByRole('searchbox', { name: 'Search' })
    expect(search).toHaveFocus()
    await user.keyboard('Drill 1')
    await waitFor(() => expect(shownIds()).toEqual([1, 10, 11, 12]))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(nameLink('Drill 10')).toHaveFocus()
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(search).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await screen.findByRole('dialog', { name: /Drill 10/ })
    expect(address()).toContain('/dashboard/drill/10?')
  })

  it('keys right after Ctrl-K are for the command palette, also before it is there', async () => {
    const user = await open()
    await user.keyboard('{ArrowDown}{Control>}k{/Control} 1{Backspace}2')
    expect(await screen.findByRole('combobox', { name: /^Go to a screen/ })).toHaveValue(' 2')
    expect(tickedRows()).toBe(0)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.keyboard('{Control>}k{/Control}{Escape}/Drill 1')
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('Drill 1')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('the command palette does not say that there is nothing while it is still looking', async () => {
    const answer = Promise.withResolvers<void>()
    const { user } = await renderConsole({
      extension: withDrills,
      path: '/dashboard/drill',
      records: {
        drill: drillRecords(2),
        nat: [{ name: 'Printer', host: '192.0.2.1:80', domain: 'printer.example.org' }],
      },
      prepare: (app) =>
        void app.addHook('preHandler', async ({ url }) => {
          if (url.startsWith('/api/v1/nat')) await answer.promise
        }),
    })
    await screen.findByText('Drill 1')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: /^Go to a screen/ }), 'Printer')
    const palette = within(screen.getByRole('dialog'))
    await palette.findByText('Loading')
    expect(palette.queryByText('No results')).toBeNull()
    answer.resolve()
    await palette.findByRole('option', { name: /Printer/ })
    await user.type(palette.getByRole('combobox'), ' none')
    await palette.findByText('No results')
  })

  it('what another app shares is searched for, an address by its host, and once', async () => {
    const { user } = await renderConsole({
      extension: withDrills,
      path: `/dashboard/drill?shared_title=Page&shared_text=${encodeURIComponent('See https://web-7.example.org:8443/x?y')}`,
    })
    expect(await screen.findByRole('combobox', { name: /^Go to a screen/ })).toHaveValue('web-7.example.org')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(address()).not.toContain('shared')
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('combobox', { name: /^Go to a screen/ })).toHaveValue('')
  })

  it('space selects the row of the name, and Enter opens the record from its checkbox too', async () => {
    const user = await open()
    await user.keyboard('{ArrowDown} {ArrowDown} ')
    await waitFor(() => expect(tickedRows()).toBe(2))
    screen.getByRole('checkbox', { name: 'Select Drill 3' }).focus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('checkbox', { name: 'Select Drill 4' })).toHaveFocus()
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog', { name: /Drill 4/ })
  })

  it('↑ and ↓ keep to the same button, and Enter presses it', async () => {
    const user = await open()
    screen.getByRole('button', { name: 'Actions for Drill 1' }).focus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('button', { name: 'Actions for Drill 2' })).toHaveFocus()
    await user.keyboard('{Enter}')
    await screen.findByRole('menuitem', { name: 'Delete' })
  })

  it('the help says so', async () => {
    const user = await open()
    await user.keyboard('?')
    const help = within(await screen.findByRole('dialog', { name: 'Keys' }))
    help.getByText('Move between rows, and from the search into them')
    help.getByText('Open the record')
  })

  it('the user menu and the field in the header lead to what has keys of its own', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: /^User menu/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts ?' }))
    const help = await screen.findByRole('dialog', { name: 'Keys' })
    await user.click(within(help).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Search everything Ctrl K' }))
    await screen.findByRole('dialog', { name: 'Command palette' })
  })

  it('the first row is at most five stops of the tab key away', async () => {
    const user = await open()
    await user.tab()
    expect(document.activeElement).toHaveAccessibleName('Skip to content')
    await user.keyboard('{Enter}')
    await user.tab()
    expect(document.activeElement).toHaveAccessibleName('Skip to the rows')
    await user.keyboard('{Enter}')
    expect(screen.getByRole('link', { name: 'Drill 1' })).toHaveFocus()
  })
})

describe('After a deletion', () => {
  it('the focus is on the list, and not lost with the row', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Actions for Drill 3' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog')
    within(question)
      .getByRole('button', { name: /^Delete/ })
      .focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(shownIds()).not.toContain(3))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })
})

describe('In a list whose records cannot be opened', () => {
  it('↓ goes to the row itself, which is read as a whole', async () => {
    const at = '2026-11-21T00:00:00Z'
    const value = ['user.create', 'user.delete'].map((action, id) => ({
      id,
      at,
      action,
      user_id: 1,
      username: 'admin',
    }))
    const { user } = await renderConsole({
      path: '/dashboard/settings/audit',
      prepare: alterReplies('wheelhouse/audit', () => ({ value, pagination: { limit: 10, total: 2 } })),
    })
    const rowOf = async (action: string) => (await screen.findByText(action)).closest('tr')
    const [first, second] = [await rowOf('user.create'), await rowOf('user.delete')]
    await user.keyboard('{ArrowDown}')
    expect(first).toHaveFocus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(second).toHaveFocus()
  })
})
