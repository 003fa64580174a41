import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { enterText } from '../../support/console/enterText.ts'
import { address, button, columnTexts, shownIds, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { drillRecords } from '../../support/drill/drills.ts'
import { withDrills } from '../../support/drill/index.ts'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

const list = '/dashboard/drill'

const open = (path: string, options: Partial<Parameters<typeof renderConsole>[0]> = {}) =>
  renderConsole({ extension: withDrills, path, records: { drill: drillRecords(3) }, ...options })

const dialog = (name: string) => screen.findByRole('dialog', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const writes = (network: Awaited<ReturnType<typeof open>>['network']) =>
  network.sent.filter(({ method }) => method !== 'GET')

describe('A form', () => {
  it('creates: it sends the defaults too, closes, shows a toast and the new row, and is empty the next time', async () => {
    const { user, network } = await open(list, { records: {} })
    await user.click((await screen.findAllByRole('link', { name: 'Create' }))[0] as HTMLElement)
    await dialog('Create: Drill')
    expect(address()).toBe(`${list}/create`)
    await user.type(await field('Name'), '  Kernel update ')
    fireEvent.change(screen.getByLabelText('Starts at', { selector: 'input' }), {
      target: { value: '2026-12-01T04:00' },
    })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Repeat' }), 'Weekly')
    await user.click(button('Save'))
    await noDialog()
    expect(writes(network)).toEqual([
      {
        method: 'POST',
        path: 'drill',
        body: {
          name: 'Kernel update',
          servers: [],
          repeat: 2,
          starts_at: new Date('2026-12-01T04:00').toISOString().replace('.000', ''),
          duration: 60,
          mute_alerts: true,
          notification_group_id: 0,
          note: '',
        },
      },
    ])
    expect(address()).toBe(list)
    await waitFor(() => expect(columnTexts(2)).toEqual(['Kernel update']))
    expect(toasts().join()).toContain('Created: “Kernel update”')
    await user.click((await screen.findAllByRole('link', { name: 'Create' }))[0] as HTMLElement)
    expect(await field('Name')).toHaveProperty('value', '')
  })

  it('marks what may stay empty as optional, and no number that has a default', async () => {
    await open(`${list}/create`)
    await dialog('Create: Drill')
    const labels = () => [...document.querySelectorAll('form label')].map(({ textContent }) => textContent)
    await waitFor(() => expect(labels()).toEqual(expect.arrayContaining(['Name', 'Servers (optional)', 'Minutes'])))
    expect((await field('Minutes')).getAttribute('aria-required')).toBe('false')
  })

  it('opens by its address, edits, and sends what was typed; the list keeps its page', async () => {
    const { user, network } = await open(`${list}/2?pageSize=2`)
    await dialog('Edit “Drill 2”')
    const name = await field('Name')
    await user.clear(name)
    await user.type(name, 'Renamed')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await noDialog()
    expect(writes(network)).toEqual([
      { method: 'PATCH', path: 'drill/2', body: expect.objectContaining({ name: 'Renamed', duration: 60 }) },
    ])
    expect(address()).toBe(`${list}?pageSize=2`)
    await waitFor(() => expect(columnTexts(2)).toEqual(['Drill 1', 'Renamed']))
    expect(toasts().join()).toContain('Saved: “Renamed”')
  })

  it('saves once, however often Ctrl-Enter is pressed while the server does not answer', async () => {
    const answer = Promise.withResolvers<void>()
    const { user, network } = await open(`${list}/create`, {
      records: {},
      prepare: (app) => {
        app.addHook('preHandler', async ({ method, url }) => {
          if (method === 'POST' && url.endsWith('/drill')) await answer.promise
        })
      },
    })
    await user.type(await field('Name'), 'Kernel update')
    fireEvent.change(screen.getByLabelText('Starts at', { selector: 'input' }), {
      target: { value: '2026-12-01T04:00' },
    })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(button('Save')).toHaveProperty('disabled', true))
    await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
    await user.click(button('Cancel'))
    await screen.findByText(/^Sent, but the server has not answered yet/, { selector: '[role=alertdialog] *' })
    await user.click(button('Keep editing'))
    answer.resolve()
    await noDialog()
    await waitFor(() => expect(columnTexts(2)).toEqual(['Kernel update']))
    expect(writes(network)).toHaveLength(1)
  })

  it('stays open when the answer to another one, which was closed, comes late', async () => {
    const answer = Promise.withResolvers<void>()
    const { user } = await open(list, {
      prepare: (app) => {
        app.addHook('preHandler', async ({ method, url }) => {
          if (method === 'PATCH' && url.endsWith('/drill/1')) await answer.promise
        })
      },
    })
    await user.click(await screen.findByRole('link', { name: 'Drill 1' }))
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(button('Save')).toHaveProperty('disabled', true))
    await user.click(button('Cancel'))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Discard changes' }))
    await noDialog()
    await user.click(screen.getByRole('link', { name: 'Drill 3' }))
    await user.type(await field('Name'), '!')
    answer.resolve()
    await waitFor(() => expect(columnTexts(2)).toContain('Drill 1!'))
    await dialog('Edit “Drill 3”')
    expect(address()).toBe(`${list}/3`)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(await field('Name')).toHaveProperty('value', 'Drill 3!')
  })

  it('is closed by the back button and by Escape at once when nothing was typed', async () => {
    const { user } = await open(list)
    await user.click(await screen.findByRole('link', { name: 'Drill 1' }))
    await dialog('Edit “Drill 1”')
    expect(address()).toBe(`${list}/1`)
    history.back()
    await noDialog()
    expect(address()).toBe(list)
    await user.click(await screen.findByRole('link', { name: 'Drill 3' }))
    await dialog('Edit “Drill 3”')
    await field('Name')
    await user.keyboard('{Escape}')
    await noDialog()
    expect(address()).toBe(list)
  })

  it('saves nothing, and closes, when nothing was changed', async () => {
    const { user, network } = await open(`${list}/1`)
    await dialog('Edit “Drill 1”')
    await user.click(button('Save'))
    await noDialog()
    expect(writes(network)).toEqual([])
  })

  it('asks before it discards changes, and can keep them', async () => {
    const { user } = await open(`${list}/1`)
    await user.type(await field('Name'), '!')
    await user.keyboard('{Escape}')
    const question = await screen.findByRole('alertdialog', { name: 'Discard unsaved changes?' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(await field('Name')).toHaveProperty('value', 'Drill 1!')
    await user.click(button('Cancel'))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await noDialog()
    expect(columnTexts(2)[0]).toBe('Drill 1')
  })

  it('lets its fields notice what the browser fills in, with one style sheet for the whole page', async () => {
    await open(`${list}/create`)
    expect(getComputedStyle(await field('Name')).animationName).toBe('mui-auto-fill-cancel')
    const textOf = ({ cssRules }: CSSStyleSheet) => [...cssRules].map(({ cssText }) => cssText).join()
    const sheets = [...document.styleSheets].filter((sheet) => textOf(sheet).includes('@keyframes mui-auto-fill '))
    expect(sheets).toHaveLength(1)
    expect(textOf(sheets[0] as CSSStyleSheet)).toContain('@keyframes mui-auto-fill-cancel ')
  })

  it('is not changed by typing something and deleting it again', async () => {
    const { user } = await open(`${list}/1`)
    await user.type(await field('Name'), '!{Backspace}')
    await user.keyboard('{Escape}')
    await noDialog()
  })

  it('shows errors below the fields, in the current language, also after a change of it', async () => {
    const { user, network } = await open(`${list}/create`)
    await user.clear(await field(/^Minutes/))
    await user.type(await field(/^Minutes/), '3')
    await user.click(button('Save'))
    const alerts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
    await waitFor(() => expect(alerts()).toEqual(['Required', 'Required', 'Must be at least 5']))
    expect(writes(network)).toEqual([])
    // The dialog hides the page from assistive technology, but not from somebody who changes the language in it.
    await user.click(screen.getByLabelText('Language'))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Deutsch', hidden: true }))
    await waitFor(() => expect(alerts()).toEqual(['Pflichtfeld', 'Pflichtfeld', 'Mindestens 5']))
    expect(await field(/^Minuten/)).toHaveProperty('value', '3')
  })

  it("stays open when the server refuses, with its words in a toast titled 'Error' and the cause in the console", async () => {
    const errors = catchErrors()
    const { user } = await open(`${list}/1`, {
      prepare: (app) => {
        app.addHook('preHandler', async ({ method }) => {
          if (method === 'PATCH') throw new ApiError('another drill is under way')
        })
      },
    })
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(toasts().join()).toMatch(/^Error.*another drill is under way/))
    expect(errors()).toContain('another drill is under way')
    await dialog('Edit “Drill 1”')
    expect(await field('Name')).toHaveProperty('value', 'Drill 1!')
    expect(shownIds()).toEqual([1, 2, 3])
  })

  it('shows what the server refuses at the field that it names, until it is saved again', async () => {
    catchErrors()
    let isRefused = true
    const { user } = await open(`${list}/1`, {
      prepare: (app) => {
        app.addHook('preHandler', async ({ method }) => {
          if (method === 'PATCH' && isRefused) throw new ApiError('name: another drill has it')
        })
      },
    })
    const name = await field('Name')
    await user.type(name, '!')
    await user.click(button('Save'))
    await screen.findByText('another drill has it')
    expect(document.activeElement).toBe(name)
    isRefused = false
    await user.click(button('Save'))
    await noDialog()
  })

  it('points to the console when the reply had no message', async () => {
    const errors = catchErrors()
    const { user } = await open(`${list}/1`, {
      prepare: (app) => {
        app.addHook('preHandler', async ({ method }, reply) => {
          if (method === 'PATCH') return reply.code(500).send({})
        })
      },
    })
    await user.type(await field('Name'), '!')
    await user.click(button('Save'))
    await waitFor(() => expect(toasts().join()).toContain('Unexpected error, Please see the console for details.'))
    expect(errors()).toContain('HttpError')
    await dialog('Edit “Drill 1”')
  })

  it('keeps a stored value that today would be refused, as long as nobody changes it', async () => {
    const { user, storedRows } = await open('/dashboard/server/1', {
      records: { server: [{ name: '', display_index: 3 }] },
    })
    await enterText(user, await field(/^Private note/), 'in the cellar')
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('server')).toEqual([
      expect.objectContaining({ name: '', display_index: 3, note: 'in the cellar' }),
    ])
  })

  it('of a record that does not exist says so and leaves the list as it is', async () => {
    catchErrors()
    const { user } = await open(`${list}/77`)
    expect((await screen.findByText('Element does not exist')).closest('[role=dialog]')).toBeTruthy()
    await user.click(button('Close'))
    await noDialog()
    expect(shownIds()).toEqual([1, 2, 3])
  })
})
