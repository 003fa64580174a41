import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { fixtureBytes, fixtureSettings } from '../../support/imports/importFixture.ts'

/** A file of these bytes, as somebody chooses it. */
const chosen = (bytes: Uint8Array<ArrayBuffer>, name: string) => new File([bytes], name)

describe('The page that imports', () => {
  it('shows what would come along and what would not, imports it, and takes it back', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/settings/import' })
    await user.upload(
      await screen.findByLabelText('Choose the database (sqlite.db)…'),
      chosen(new Uint8Array(fixtureBytes('nezha-2')), 'sqlite.db'),
    )
    const settings = new TextEncoder().encode(fixtureSettings('nezha-2'))
    await user.upload(screen.getByLabelText(/^Choose config.yaml/), chosen(new Uint8Array(settings), 'config.yaml'))
    await user.click(screen.getByRole('button', { name: 'Show plan' }))
    await screen.findByRole('heading', { name: 'From Nezha 2' })
    screen.getByText(/^29 to create, 2 to change/)
    screen.getByText('API tokens do not come along: make a new one.')
    await user.click(screen.getByRole('button', { name: 'Import' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Import from Nezha?' })
    await user.click(within(dialog).getByRole('button', { name: 'Import' }))
    await screen.findByText('Imported from Nezha 2.')
    expect(storedRows('service').map(({ name }) => name)).toContain('web ok')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const question = await screen.findByRole('alertdialog', { name: 'Undo the import from Nezha 2?' })
    await user.click(within(question).getByRole('button', { name: 'Undo' }))
    await screen.findByText('The import was undone.')
    expect(storedRows('service')).toEqual([])
  })

  it('names records, fields and values as the console does', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/import' })
    const database = chosen(new Uint8Array(fixtureBytes('nezha-2')), 'sqlite.db')
    await user.upload(await screen.findByLabelText('Choose the database (sqlite.db)…'), database)
    await user.click(screen.getByRole('button', { name: 'Show plan' }))
    await screen.findByRole('heading', { name: 'From Nezha 2' })
    const [task] = await screen.findAllByRole('table', { name: /^New Task “/ })
    within(task as HTMLElement).getByRole('row', { name: 'Type Scheduled' })
    within(task as HTMLElement).getByRole('row', { name: 'Send success notification Yes' })
    screen.getByRole('cell', { name: 'API tokens' })
  })

  it('names by the words of the console what stays when an import is taken back', async () => {
    const { user, storedRows, server } = await renderConsole({ path: '/dashboard/settings/import' })
    const database = chosen(new Uint8Array(fixtureBytes('nezha-2')), 'sqlite.db')
    await user.upload(await screen.findByLabelText('Choose the database (sqlite.db)…'), database)
    await user.click(screen.getByRole('button', { name: 'Show plan' }))
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Import from Nezha?' })
    await user.click(within(dialog).getByRole('button', { name: 'Import' }))
    await screen.findByText('Imported from Nezha 2.')
    const task = storedRows('cron').find(({ name }) => name === 'old task')
    entityTable(server.store, cron).update(Number(task?.id), { command: 'true', updated_at: '2026-11-27T01:00:00Z' })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const question = await screen.findByRole('alertdialog', { name: 'Undo the import from Nezha 2?' })
    await user.click(within(question).getByRole('button', { name: 'Undo' }))
    await screen.findByText(/It was changed since and stays: Task “old task”$/)
  })

  it('says in words that a file is empty', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/import' })
    const database = chosen(new Uint8Array(), 'sqlite.db')
    await user.upload(await screen.findByLabelText('Choose the database (sqlite.db)…'), database)
    await user.click(screen.getByRole('button', { name: 'Show plan' }))
    await screen.findByText('The file is damaged, or not all of it is there: copy it again. Nothing was changed.')
  })

  it('says in words that the database was chosen as the settings file', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/import' })
    const database = chosen(new Uint8Array(fixtureBytes('nezha-2')), 'config.yaml')
    await user.upload(await screen.findByLabelText(/^Choose config.yaml/), database)
    await screen.findByText('The settings file cannot be read: > 256 KiB')
  })

  it.each([
    ['site_name: a\n\tlanguage: de', /: Zeile 2, Spalte 1: Diese Zeile beginnt mit einem Tabulator/],
    ['%YAML 9\n---\nsite_name: a', /: Zeile 1, Spalte 7: Das ist kein YAML: Unsupported YAML version 9/],
  ])('says in the words of the console where a settings file is none, and what is wrong there', async (file, text) => {
    const { user } = await renderConsole({ path: '/dashboard/settings/import', locale: 'de-DE' })
    const database = chosen(new Uint8Array(fixtureBytes('nezha-2')), 'sqlite.db')
    await user.upload(await screen.findByLabelText(/^Datenbank .*sqlite\.db/), database)
    const settings = chosen(new TextEncoder().encode(file), 'config.yaml')
    await user.upload(screen.getByLabelText(/config\.yaml/), settings)
    await user.click(screen.getByRole('button', { name: 'Plan zeigen' }))
    await screen.findByText(text)
  })

  it('says in words that a file is none of the product', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/import' })
    const text = new TextEncoder().encode('not a database')
    await user.upload(await screen.findByLabelText('Choose the database (sqlite.db)…'), chosen(text, 'notes.txt'))
    await user.click(screen.getByRole('button', { name: 'Show plan' }))
    await screen.findByText(/This is not a database of SQLite\. Nothing was changed\./)
  })
})
