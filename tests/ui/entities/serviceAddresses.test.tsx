import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

describe('Services from a list of addresses', () => {
  it('are shown first, made together, and taken back together', async () => {
    const known = { name: 'Known', type: 1, target: 'https://known.example/', duration: 60, skip_servers: {} }
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/service',
      records: { server: [{ name: 'web-1' }], service: [known] },
    })
    await user.click(await screen.findByRole('button', { name: 'From addresses' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Services from a list of addresses' }))
    await user.click(dialog.getByRole('textbox', { name: /^Addresses/ }))
    await user.paste('https://known.example/\nMail, mail.example:25\n192.0.2.1\nhttp://')
    const rows = (await dialog.findAllByRole('row')).slice(1)
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['known.example', 'HTTP GET', 'https://known.example/', 'There is one already'],
      ['Mail', 'TCPing', 'mail.example:25', 'New'],
      ['192.0.2.1', 'ICMP ping', '192.0.2.1', 'New'],
      ['http://', '', 'http://', 'No address'],
    ])
    await user.click(button('Create 2 services'))
    await dialog.findByText('2 services created')
    const targets = () => storedRows('service').map(({ target }) => target)
    expect(targets()).toEqual(['https://known.example/', 'mail.example:25', '192.0.2.1'])
    await user.click(button('Undo'))
    await dialog.findByText('2 services deleted again')
    expect(targets()).toEqual(['https://known.example/'])
  })
})
