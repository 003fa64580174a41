import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../../src/engine/define/defineResource.ts'
import { resource } from '../../../src/engine/define/page.tsx'
import { resources } from '../../../src/resources/index.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { moment, name } from '../../../src/schemas/define/fields.ts'
import { entities } from '../../../src/schemas/index.ts'
import { button, columnTexts, shownIds } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

// Fetched on demand by the console; here they are there before the first test waits for a form.
import '../../../src/engine/form/RecordDialog.tsx'
import '../../../src/engine/filter/FilterPanel.tsx'

const reminder = defineEntity({
  name: 'reminder',
  form: z.object({ name: name(), due_at: moment(), sent_at: moment().optional() }),
})

const reminders = defineResource(reminder, { columns: ['id', 'name', 'due_at'], filters: ['due_at'] })

const extension = {
  entities: { ...entities, reminder },
  resources: [...resources, resource(reminder, async () => ({ default: reminders }))],
  textsIn: () => ({}),
}

const list = '/dashboard/reminder'
const rows = [
  { name: 'first', due_at: '2026-01-31T11:00:00.123456789+02:00', sent_at: '2026-01-31T09:00:00Z' },
  { name: 'second', due_at: '2026-01-31T08:30:00Z', sent_at: '0001-01-01T00:00:00Z' },
]

const open = (path: string) => renderConsole({ extension, path, records: { reminder: rows } })
const box = (label: RegExp) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' })
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

beforeAll(() => {
  process.env.TZ = 'Europe/Berlin'
})

/** The body of the last write. */
const sent = ({ network }: Awaited<ReturnType<typeof open>>) =>
  network.sent.filter(({ method }) => method !== 'GET').at(-1)?.body

describe('A date and time in a form', () => {
  it('is typed on the local clock, named with its zone, and sent as RFC 3339', async () => {
    const view = await open(`${list}/create`)
    await view.user.type(await screen.findByRole('textbox', { name: /name/ }), 'third')
    const due = await box(/due_at/)
    type(due, '2026-07-31T10:30:15')
    expect(due.value).toBe('2026-07-31T10:30:15')
    expect(await screen.findByText('Europe/Berlin, UTC+2')).toBeTruthy()
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toEqual({ name: 'third', due_at: '2026-07-31T08:30:15Z' })
  })

  it('that nobody touches is sent back byte for byte', async () => {
    const view = await open(`${list}/1`)
    expect((await box(/due_at/)).value).toBe('2026-01-31T10:00')
    await view.user.type(await screen.findByRole('textbox', { name: /name/ }), '!')
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toMatchObject({ name: 'first!', due_at: rows[0]?.due_at, sent_at: rows[0]?.sent_at })
  })

  it('that is typed away and back has all its bytes again', async () => {
    const view = await open(`${list}/1`)
    const due = await box(/due_at/)
    type(due, '2026-01-31T10:01')
    type(due, '2026-01-31T10:00')
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toBeUndefined()
  })

  it('is cleared where it may be absent, and missed where it may not', async () => {
    const view = await open(`${list}/1`)
    const [due, optional] = [await box(/due_at/), await box(/sent_at/)]
    const [clearDue, clearOptional] = screen.getAllByRole('button', { name: 'Clear value' })
    await view.user.click(clearOptional as HTMLElement)
    expect([optional.value, document.activeElement]).toEqual(['', optional])
    await view.user.click(clearDue as HTMLElement)
    await view.user.click(button('Save'))
    expect(await screen.findByText('Required')).toBeTruthy()
    type(due, '2026-02-01T00:00')
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toMatchObject({ due_at: '2026-01-31T23:00:00Z' })
    expect(sent(view)).not.toHaveProperty('sent_at')
  })

  it('that was never set is empty, and stays "never" while nobody sets it', async () => {
    const view = await open(`${list}/2`)
    const optional = await box(/sent_at/)
    expect(optional.value).toBe('')
    type(optional, '2026-02-01T00:00')
    type(optional, '')
    type(await box(/due_at/), '2026-02-02T00:00')
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toMatchObject({ sent_at: '0001-01-01T00:00:00Z', due_at: '2026-02-01T23:00:00Z' })
  })

  it('of which a part is missing is refused until it is whole', async () => {
    const view = await open(`${list}/1`)
    const due = await box(/due_at/)
    Object.defineProperty(due, 'validity', { value: { badInput: true }, configurable: true })
    type(due, '')
    await view.user.click(button('Save'))
    expect(await screen.findByText('Must be a complete date and time')).toBeTruthy()
    Object.defineProperty(due, 'validity', { value: { badInput: false }, configurable: true })
    type(due, '2026-02-01T00:00')
    await view.user.click(button('Save'))
    await noDialog()
    expect(sent(view)).toMatchObject({ due_at: '2026-01-31T23:00:00Z' })
  })
})

describe('A list with dates and times', () => {
  it('is sorted by the point in time, though the UTC offsets differ', async () => {
    await open(`${list}?sort=due_at&order=ASC`)
    await screen.findByText('first')
    expect(columnTexts(2)).toEqual(['second', 'first'])
  })

  it('is filtered by a range, which its chip describes', async () => {
    const { user } = await open(list)
    await screen.findByText('first')
    await user.click(button('Filters'))
    const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
    type(panel.getByLabelText(/From/), '2026-01-31T09:45')
    await waitFor(() => expect(shownIds()).toEqual([1]))
    type(panel.getByLabelText(/To/), '2026-01-31T09:59')
    await waitFor(() => expect(shownIds()).toEqual([]))
    type(panel.getByLabelText(/From/), '2026-01-31T09:30')
    await waitFor(() => expect(shownIds()).toEqual([2]))
    await user.keyboard('{Escape}')
    await screen.findByText(/Jan 31, 2026, 9:30:00\sAM – Jan 31, 2026, 9:59:00\sAM/)
    await user.click(button('Clear filters'))
    await waitFor(() => expect(shownIds()).toEqual([1, 2]))
  })
})
