import { screen, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExecOrder, ExecResult } from '../../../server/machines/hosts/operations.ts'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { groupAnswers, tellingLine } from '../../../src/resources/server/question/QuestionPage.tsx'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'
import { createTestHost } from '../../support/server/testHost.ts'

const says = (stdout: string): ExecResult => ({ exit_code: 0, stdout, stderr: '', duration_ms: 1 })

/** Servers that answer so, web-1 first; `undefined` for one that is offline. @param until when they answer */
async function open(answers: readonly (string | undefined)[], until?: Promise<void>) {
  const orders: ExecOrder[] = []
  const rendered = await renderConsole({
    prepare: (app) => {
      for (const [index, answer] of answers.entries()) {
        const host = createTestHost({ uuid: `machine-${index + 1}`, name: `web-${index + 1}` })
        host.operations.exec = async (order) => {
          orders.push(order)
          await until
          return says(answer ?? '')
        }
        app.machines.add(host)
        host.report({ at: new Date('2026-11-21T00:00:00Z'), host: { platform: 'debian' } })
        if (answer === undefined) host.disconnect()
      }
    },
  })
  const { user } = rendered
  await screen.findByText('web-1')
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
  await user.click(button('More'))
  await user.click(await screen.findByRole('menuitem', { name: 'Ask' }))
  const dialog = await screen.findByRole('dialog', { name: `Ask ${answers.length} servers` })
  return { ...rendered, orders, dialog }
}

/** As `open`, asked of two servers that answer when they are let. */
async function openSlow() {
  const released = Promise.withResolvers<void>()
  const rendered = await open(['x', 'x'], released.promise)
  const { user, dialog } = rendered
  await enterText(user, within(dialog).getByRole('textbox', { name: 'Name of the unit' }), 'nginx.service')
  await user.click(within(dialog).getByRole('button', { name: 'Ask' }))
  return { ...rendered, release: () => released.resolve() }
}

/** What the page of a question shows. */
const results = async (text = 'nginx.service') => within(await screen.findByRole('region', { name: text }))

/** The texts of files that are saved meanwhile. */
function savedTexts() {
  const parts: unknown[][] = []
  const { Blob } = globalThis
  onTestFinished(() => void vi.stubGlobal('Blob', Blob))
  vi.stubGlobal(
    'Blob',
    class {
      constructor(given: unknown[]) {
        parts.push(given)
      }
    },
  )
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export')
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  return parts
}

describe('Asking many servers', () => {
  it('shows what differs first, then who said nothing and why, and what most say last; and exports it', async () => {
    const state = 'LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\n'
    const dead = state.replace('active', 'failed').replace('running', 'failed')
    const { user, dialog, orders } = await open([
      state,
      dead,
      state,
      undefined,
      'LoadState=not-found\nActiveState=inactive',
    ])
    expect(within(dialog).getByRole('button', { name: 'Ask' })).toHaveProperty('disabled', true)
    await enterText(user, within(dialog).getByRole('textbox', { name: 'Name of the unit' }), 'nginx.service')
    await user.click(within(dialog).getByRole('button', { name: 'Ask' }))
    const page = await results()
    await page.findByText('2 alike, 2 differ, 1 without an answer')
    const lines = page.getAllByRole('listitem').map((item) => item.querySelector('summary')?.textContent)
    expect(lines.slice(0, 2).toSorted()).toEqual(['1Not thereweb-5', '1failed (failed), enabledweb-2'].toSorted())
    expect(lines.slice(2)).toEqual(['1The machine is offline.web-4', '2active (running), enabled'])
    expect(orders[0]).toMatchObject({ cmd: 'sh', args: ['-c', expect.any(String), 'sh', 'nginx.service'] })
    // It comes with the last look.
    const exportCsv = await screen.findByRole('button', { name: 'Export as CSV' })
    const parts = savedTexts()
    await user.click(exportCsv)
    const rows = String(parts[0]?.[0]).replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(rows[0]).toBe('ID,Server,Answer,Exit code,Reason')
    expect(rows.slice(1).toSorted()).toEqual([
      '1,web-1,"active (running), enabled",,',
      '2,web-2,"failed (failed), enabled",,',
      '3,web-3,"active (running), enabled",,',
      '4,web-4,,,The machine is offline.',
      '5,web-5,Not there,,',
    ])
    await user.click(button('Export as JSON'))
    expect(JSON.parse(String(parts[1]?.[0]))).toContainEqual({
      server_id: 2,
      name: 'web-2',
      text: 'failed (failed), enabled',
    })
    await user.click(button('Ask something else'))
    const unit = await screen.findByRole('textbox', { name: 'Name of the unit' })
    expect(unit).toHaveProperty('value', 'nginx.service')
    // The same servers, from the page itself.
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Ask' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await (await results()).findByText('2 alike, 2 differ, 1 without an answer')
    expect(orders).toHaveLength(8)
  })

  it('says what the server refuses, and keeps what was typed', async () => {
    const errors = catchErrors()
    const { user, dialog } = await open(['x', 'x'])
    await enterText(user, within(dialog).getByRole('textbox', { name: 'Name of the unit' }), '--now')
    await user.click(within(dialog).getByRole('button', { name: 'Ask' }))
    expect((await screen.findAllByText(/--now is not the name of a unit/)).length).toBeGreaterThan(0)
    expect(within(dialog).getByRole('textbox', { name: 'Name of the unit' })).toHaveProperty('value', '--now')
    expect(errors()).toContain('--now is not the name of a unit')
  })

  it('says of one answer alone that it is like no other', async () => {
    const { user, dialog } = await open(['x', undefined])
    await enterText(user, within(dialog).getByRole('textbox', { name: 'Name of the unit' }), 'nginx.service')
    await user.click(within(dialog).getByRole('button', { name: 'Ask' }))
    const page = await results()
    await page.findByRole('button', { name: 'Export as CSV' })
    expect(page.getByRole('status').textContent).toBe('1 without an answer')
  })

  it('goes on when a reply was lost on the way, and has its answers again when the page is opened anew', async () => {
    const errors = catchErrors()
    const { user, network, release } = await openSlow()
    const page = await results()
    await page.findByText(/0 of 2 asked/)
    network.isDown = true
    const before = network.sent.length
    await vi.waitFor(() => expect(network.sent.length).toBeGreaterThan(before + 1))
    network.isDown = false
    release()
    await page.findByText('2 alike')
    expect(errors()).toBe('')
    const address = window.location.pathname
    expect(address).toMatch(/\/ask\/[\da-f-]{36}$/)
    await user.click(screen.getByRole('link', { name: 'Servers' }))
    await screen.findByRole('checkbox', { name: 'Select all rows on this page' })
    window.history.back()
    await (await results()).findByText('2 alike')
  })

  it('can be read and taken along when the server knows no more of it', async () => {
    const errors = catchErrors()
    const { server } = await openSlow()
    const page = await results()
    await page.findByText(/0 of 2 asked/)
    vi.spyOn(server.app.questions, 'look').mockImplementation(() => {
      throw new ApiError('question not found: ask it again')
    })
    await page.findByRole('button', { name: 'Export as CSV' })
    expect(page.getByRole('status').textContent).toContain('Ended early.')
    expect(page.queryByRole('button', { name: 'End' })).toBeNull()
    expect(errors()).toContain('question not found: ask it again')
  })

  it('says of an address that is over, or not for this person, that there is no such question', async () => {
    await renderConsole({ path: '/dashboard/ask/00000000-0000-4000-8000-000000000000' })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'This question is not known any more: ask it again',
    )
  })
})

describe('answers in groups', () => {
  const text = (id: number, words: string) => [id, { id, text: words }] as const
  const answer = (server_id: number, text_id: number) => ({ server_id, name: `web-${server_id}`, text_id })

  it('all differ where no two are alike', () => {
    const answers = [answer(1, 0), answer(2, 1)]
    expect(groupAnswers({ answers, texts: new Map([text(0, 'a'), text(1, 'b')]) })).toMatchObject({
      alike: 0,
      differ: 2,
      unanswered: 0,
    })
  })

  it('stand for the first line that is not what most have', () => {
    expect(tellingLine('a\nb\nc', 'a\nx\nc')).toBe('b')
    expect(tellingLine('\n  a\n')).toBe('a')
    expect(tellingLine('a', 'a\nb')).toBe('a')
    expect(tellingLine(' \n')).toBe('')
  })
})
