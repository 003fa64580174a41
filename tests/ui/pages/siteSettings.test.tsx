import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { readSite, writeSite } from '../../../server/site/site.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

const textbox = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const open = async (options: Parameters<typeof renderConsole>[0] = {}) => {
  const rendered = await renderConsole({ path: '/dashboard/settings?section=all', ...options })
  await screen.findByRole('form', { name: 'Settings' })
  const { user } = rendered
  const type = async (name: string | RegExp, text: string) => {
    await user.clear(textbox(name))
    if (text) await enterText(user, textbox(name), text)
  }
  const review = async () => {
    await user.click(button('Review changes'))
    return screen.findByRole('dialog', { name: 'What will change' })
  }
  const save = async () => {
    const dialog = await review()
    await user.click(within(dialog).getByRole('button', { name: /^Save/ }))
  }
  return { ...rendered, type, review, save }
}

describe('The settings of the site', () => {
  it('are the first tab for an administrator', async () => {
    await open()
    const tabs = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole('link')
    expect(tabs[0]?.textContent).toBe('Settings')
    expect(tabs[0]?.getAttribute('aria-current')).toBe('page')
    expect(tabs.map((tab) => tab.getAttribute('href'))).toEqual(
      expect.arrayContaining([
        '/dashboard/settings/user',
        '/dashboard/settings/online-user',
        '/dashboard/settings/waf',
      ]),
    )
  })

  it('send members to the online users, which say whom they are for, and leave them signed in', async () => {
    await renderConsole({ path: '/dashboard/settings', role: 'member' })
    await screen.findByText('This page is for administrators only.')
    expect(window.location.pathname).toBe('/dashboard/settings/online-user')
    expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull()
    expect(document.cookie).toContain('nz-jwt')
  })

  it('are shown a section at a time, and found in all of them; changes stay on the way', async () => {
    const { user, review } = await open({ path: '/dashboard/settings' })
    await enterText(user, textbox('Site name'), 'Rack 7')
    const pages = within(screen.getByRole('navigation', { name: 'Pages of the settings' }))
    await user.click(pages.getByRole('link', { name: 'Custom code' }))
    expect(screen.queryByRole('textbox', { name: 'Site name' })).toBeNull()
    await user.type(screen.getByRole('searchbox', { name: 'Search settings' }), 'tls')
    await user.click(screen.getByRole('switch', { name: 'Agents use TLS' }))
    const dialog = await review()
    expect(within(dialog).getAllByRole('row').slice(1)).toHaveLength(2)
  })

  it('lead to the section in which something is wrong', async () => {
    const { user, type } = await open({ path: '/dashboard/settings' })
    await type('Site name', 'x'.repeat(500))
    const pages = within(screen.getByRole('navigation', { name: 'Pages of the settings' }))
    await user.click(pages.getByRole('link', { name: 'Members' }))
    await user.click(button('Review changes'))
    expect((await screen.findByRole('textbox', { name: 'Site name' })).getAttribute('aria-invalid')).toBe('true')
  })

  it('show the changes, old beside new, before anything is sent', async () => {
    const { user, network, review, type } = await open()
    await type('Site name', 'Rack 7')
    await user.click(screen.getByRole('switch', { name: 'Agents use TLS' }))
    const dialog = await review()
    const rows = within(dialog).getAllByRole('row').slice(1)
    expect(rows.map((row) => row.textContent)).toEqual(['Site name–Rack 7', expect.stringContaining('Agents use TLS')])
    expect(network.sent.some(({ method }) => method === 'PATCH')).toBe(false)
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(textbox('Site name').value).toBe('Rack 7')
  })

  it('send all settings of the server, unknown ones too, and both names of the header', async () => {
    const { network, save, type } = await open({
      prepare: alterSetting({ colour: 'red', reserved_hosts: 'a.example' }),
    })
    await type('Site name', 'Rack 7')
    await save()
    await waitFor(() => expect(toasts()).toContain('Success'))
    expect(network.sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      site_name: 'Rack 7',
      language: 'en-US',
      user_template: 'user-dist',
      cover: 1,
      colour: 'red',
      reserved_hosts: 'a.example',
      web_real_ip_header: 'NZ::Use-Peer-IP',
      real_ip_header: 'NZ::Use-Peer-IP',
    })
  })

  it('show the server’s message if it refuses, and no success', async () => {
    catchErrors()
    const { save, server, type } = await open({
      prepare: (app) => {
        app.addHook('preHandler', async ({ method }, reply) => {
          if (method === 'PATCH') return reply.send({ error: 'invalid user template' })
        })
      },
    })
    await type('Site name', 'Rack 7')
    await save()
    await waitFor(() => expect(toasts().join()).toContain('invalid user template'))
    expect(toasts()).not.toContain('Success')
    expect(readSite(server.store).site_name).toBe('')
  })

  it('are validated: a name and the header of a proxy', async () => {
    const { user, type } = await open()
    await type('Site name', 'Rack 7')
    await user.click(screen.getByRole('switch', { name: 'Real IP header: use direct connecting IP' }))
    await type(/^Real IP header ?\(/, 'X Real IP')
    await user.click(button('Review changes'))
    await screen.findByText('Must be the name of an HTTP header, such as X-Real-IP')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('report a conflict only if two people changed the same setting, and keep all other changes', async () => {
    const { user, save, server, type } = await open()
    await type('Site name', 'Mine')
    writeSite(server.store, { ...readSite(server.store), site_name: 'Theirs', reserved_hosts: 'b.example' })
    await save()
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this in the meantime' })
    within(dialog).getByText('Theirs')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toasts()).toContain('Success'))
    expect(readSite(server.store)).toMatchObject({ site_name: 'Mine', reserved_hosts: 'b.example' })
  })

  it('have a history, from which an earlier version comes into the form and is saved after a look', async () => {
    const { user, save, server } = await open()
    writeSite(server.store, { ...readSite(server.store), site_name: 'First' })
    writeSite(server.store, { ...readSite(server.store), site_name: 'Second' })
    await user.click(button('History'))
    const history = await screen.findByRole('dialog', { name: 'History of the settings' })
    const versions = await within(history).findAllByRole('listitem')
    expect(versions.map((one) => within(one).getByRole('row', { name: /^Site name/ }).textContent)).toEqual([
      'Site nameFirstSecond',
      'Site nameemptyFirst',
    ])
    await user.click(within(history).getByRole('button', { name: 'Restore this version' }))
    await waitFor(() => expect(textbox('Site name').value).toBe('First'))
    expect(readSite(server.store).site_name).toBe('Second')
    await save()
    const conflict = await screen.findByRole('dialog', { name: 'Somebody else changed this in the meantime' })
    await user.click(within(conflict).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(readSite(server.store).site_name).toBe('First'))
  })

  it('switch the interface to a changed language, say so, and can switch back', async () => {
    const { user, save } = await open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'de-DE')
    await save()
    await screen.findByText('Die Oberfläche ist jetzt auf Deutsch umgestellt, wie die Website.')
    await screen.findByRole('heading', { name: 'Einstellungen' })
    await user.click(button('Zurück zu English'))
    await screen.findByRole('heading', { name: 'Settings' })
  })

  it('say on this as on every screen that the server ended by an error, until that is closed', async () => {
    const { user } = await open({
      prepare: alterReplies('setting', (data) => {
        const { wheelhouse } = data as { wheelhouse: object }
        return { ...(data as object), wheelhouse: { ...wheelhouse, warnings: ['restarted'] } }
      }),
    })
    const notice = await screen.findByText(/^The server ended unexpectedly and was started again: its log says when/)
    await user.click(within(notice).getByRole('button', { name: 'Close' }))
    expect(notice.isConnected).toBe(false)
  })

  it('mark settings that the server does not use, and warn of an unconfigured proxy', async () => {
    await open({
      prepare: (app) => {
        app.addHook('preSerialization', async ({ url }, _reply, payload) => {
          const { data } = payload as { data?: { wheelhouse?: object } }
          if (url === '/api/v1/setting') Object.assign(data?.wheelhouse ?? {}, { warnings: ['unheard_proxy'] })
          return payload
        })
      },
    })
    screen.getByText(/one person’s wrong passwords keep others from signing in/)
    const agents = within(screen.getByRole('region', { name: 'Agents' }))
    agents.getByText('Comma-separated, such as 1.1.1.1:53,8.8.8.8:53. This server stores it, but does not use it.')
    agents.getByText(/Install commands need it\.$/)
  })
})

describe('A changed real-IP header', () => {
  it('shows the address that the server will see, and how to recover', async () => {
    const { user, review } = await open()
    await user.click(screen.getByRole('switch', { name: 'Real IP header: use direct connecting IP' }))
    const dialog = await review()
    await within(dialog).findByText('The server will then see no client addresses and block nobody.')
    within(dialog).getByText('REAL_IP_HEADER=NZ::Use-Peer-IP')
    within(dialog).getByText(/Active sessions end, including yours/)
  })

  it('is not saved without consent if it would lock out this browser', async () => {
    const { user, review, type } = await open()
    await user.click(screen.getByRole('switch', { name: 'Real IP header: use direct connecting IP' }))
    await type(/^Real IP header ?\(/, 'X-Nobody')
    const dialog = await review()
    await within(dialog).findByText(/Your requests do not carry this header: “real ip header not found”/)
    const confirm = within(dialog).getByRole('button', { name: 'Save 1 change' })
    expect(confirm.hasAttribute('disabled')).toBe(true)
    await user.click(within(dialog).getByRole('checkbox', { name: /I have access to the server’s machine/ }))
    expect(confirm.hasAttribute('disabled')).toBe(false)
  })
})

describe('The settings of other servers', () => {
  const elsewhere = (data: object) => alterSetting({}, { wheelhouse: undefined, ...data })

  it('show the line for their configuration file, with the older name of the header for old servers', async () => {
    const { user, review } = await open({
      prepare: alterSetting(
        { real_ip_header: 'X-Old', web_real_ip_header: undefined },
        { wheelhouse: undefined, tsdb_enabled: undefined },
      ),
    })
    expect(textbox(/^Real IP header ?\(/).value).toBe('X-Old')
    expect(screen.queryByRole('textbox', { name: /Real IP header of agents/ })).toBeNull()
    await user.click(screen.getByRole('switch', { name: 'Real IP header: use direct connecting IP' }))
    const dialog = await review()
    within(dialog).getByText('real_ip_header: "X-Old"')
    await within(dialog).findByText(/cannot tell which address it will see/)
  })

  it('show themes with their authors, and warn about unofficial ones', async () => {
    const theme = { path: 'pixel-dist', name: 'Pixel', author: 'somebody', repository: 'https://example.org/pixel' }
    const official = { path: 'user-dist', name: 'Official', is_official: true }
    const forAdmins = { path: 'admin-dist', name: 'OfficialAdmin', is_admin: true }
    const { user } = await open({ prepare: elsewhere({ frontend_templates: [forAdmins, official, theme] }) })
    expect(screen.queryByText('OfficialAdmin')).toBeNull()
    expect(screen.getByRole('link', { name: 'example.org/pixel' }).getAttribute('href')).toBe(
      'https://example.org/pixel',
    )
    expect(screen.queryByText(/Community themes are made by others/)).toBeNull()
    await user.click(screen.getByRole('radio', { name: /Pixel/ }))
    screen.getByText(/Community themes are made by others/)
  })
})
