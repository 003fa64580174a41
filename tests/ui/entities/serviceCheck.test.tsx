import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setFleet } from '../../../src/live/fleet.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const choice = (name: string) => screen.findByRole('combobox', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const page = { name: 'Shop', type: 1, target: 'https://shop.example/', duration: 60, skip_servers: {} }

describe('The check of a service', () => {
  it('has only the fields of its kind, and is saved with the service', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/service/create' })
    await enterText(user, await field('Name'), 'Shop')
    await enterText(user, await field('Target'), 'https://shop.example/')
    expect(screen.queryByRole('textbox', { name: /^Accepted codes/ })).toBeNull()
    await user.selectOptions(await choice('Check'), 'HTTP with rules')
    expect(screen.queryByRole('combobox', { name: 'Type' })).toBeNull()
    await enterText(user, await field(/^Accepted codes/), '200')
    await enterText(user, await field(/^Text that must be there/), 'Welcome')
    await user.click(button('Add a value'))
    await enterText(user, await field('Values in JSON, 1: Path'), '$.status')
    await enterText(user, await field('Values in JSON, 1: Value'), 'ok')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('service')).toMatchObject([
      {
        type: 1,
        check: {
          kind: 'http',
          codes: '200',
          contains: 'Welcome',
          json: [{ path: '$.status', op: '==', value: 'ok' }],
        },
      },
    ])
  })

  it('begins with a template', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/service/create' })
    await enterText(user, await field('Name'), 'Backup')
    await user.selectOptions(await choice('Begin with'), 'Database')
    await enterText(user, await field('Target'), 'db.example:5432')
    expect(await field(/^Query/)).toHaveProperty('value', 'SELECT 1')
    await user.click(button('Save'))
    const message = await screen.findByText('Required')
    expect((await field(/^User/)).getAttribute('aria-describedby')).toBe(message.id)
    await enterText(user, await field(/^User/), 'watch')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('service')).toMatchObject([
      {
        target: 'db.example:5432',
        duration: 60,
        retries: 1,
        check: { kind: 'postgres', user: 'watch', query: 'SELECT 1', tls: false },
      },
    ])
  })

  it('says at a field what is wrong with it', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/service/create' })
    await enterText(user, await field('Name'), 'Shop')
    await enterText(user, await field('Target'), 'https://shop.example/')
    await user.selectOptions(await choice('Check'), 'HTTP with rules')
    const codes = await field(/^Accepted codes/)
    await enterText(user, codes, '2xx')
    await user.click(button('Save'))
    const message = await screen.findByText('Must be codes of HTTP, such as 200-299,401')
    expect(codes.getAttribute('aria-describedby')).toBe(message.id)
    expect(storedRows('service')).toEqual([])
  })

  it('asks for a target that fits the kind', async () => {
    const { user } = await renderConsole({ path: '/dashboard/service/create' })
    await enterText(user, await field('Name'), 'Mail')
    await enterText(user, await field('Target'), 'https://mail.example/')
    await user.selectOptions(await choice('Check'), 'Certificate (TLS)')
    await user.click(button('Save'))
    await screen.findByText('Must be a host and a port, such as example.com:443')
  })

  it('keeps its secrets, which the form does not show', async () => {
    const check = { kind: 'http', headers: { 'X-Token': 'token-of-tests' }, auth: { kind: 'bearer', token: 'secret' } }
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [{ ...page, check }] },
    })
    await enterText(user, await field(/^Accepted codes/), '200')
    expect(document.body.textContent).not.toMatch(/token-of-tests|secret/)
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('service')).toMatchObject([{ check: { ...check, codes: '200' } }])
  })

  it('says in a copy which secrets have to be entered again', async () => {
    const check = { kind: 'http', headers: { 'X-Token': 'token-of-tests' }, auth: { kind: 'bearer', token: 'secret' } }
    const { user } = await renderConsole({
      path: '/dashboard/service',
      records: { server: [{ name: 'web-1' }], service: [{ ...page, check }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    const token = await screen.findByLabelText(/^Token/)
    expect(token.closest('details')).toHaveProperty('open', true)
    const hint = document.getElementById(token.getAttribute('aria-describedby') ?? '')
    expect(hint?.textContent).toBe('Not copied, because it is hidden: enter it again.')
  })

  it('stands in the list in place of the type', async () => {
    await renderConsole({
      path: '/dashboard/service',
      records: { server: [{ name: 'web-1' }], service: [page, { ...page, check: { kind: 'http' } }] },
    })
    await screen.findByRole('cell', { name: 'HTTP with rules' })
    await screen.findByRole('cell', { name: 'HTTP GET' })
  })

  it('is tried from a server that is online, unless somebody chooses another one', async () => {
    await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'db-1' }, { name: 'web-2' }], service: [page] },
    })
    await waitFor(async () => expect(await choice('Try from')).toHaveProperty('value', 'db-1'))
    act(() => setFleet({ offline: new Map([[1, undefined]]) }))
    await waitFor(async () => expect(await choice('Try from')).toHaveProperty('value', 'web-2'))
  })

  it('stays with the server from which it was tried, when that goes offline', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'db-1' }, { name: 'web-2' }], service: [{ ...page, check: { kind: 'http' } }] },
    })
    act(() => setFleet({ offline: new Map([[1, undefined]]) }))
    await waitFor(async () => expect(await choice('Try from')).toHaveProperty('value', 'web-2'))
    await user.click(button('Try now'))
    await screen.findByText('the server is not connected: choose another one')
    act(() => setFleet({ offline: new Map([[2, undefined]]) }))
    expect(await choice('Try from')).toHaveProperty('value', 'web-2')
  })

  it('says why it cannot be tried', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/service/1',
      records: { server: [{ name: 'web-1' }], service: [{ ...page, check: { kind: 'http' } }] },
    })
    const tryNow = await screen.findByRole('button', { name: 'Try now' })
    await waitFor(() => expect(tryNow).toHaveProperty('disabled', false))
    await user.click(tryNow)
    await screen.findByText('the server is not connected: choose another one')
  })
})
