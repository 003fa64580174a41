import { expect, it } from 'vitest'
import type { Browser } from '../../support/console/browser.ts'
import { startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const list = async (browser: Browser) => {
  const { body } = await browser.call('GET', 'wheelhouse/snippets')
  return (body as { data?: unknown[] }).data ?? []
}
const save = async (browser: Browser, body: object) =>
  (await browser.call('POST', 'wheelhouse/snippets', { body })).body as { error?: string }

it('everybody has the snippets that administrators share, change and delete', async () => {
  const server = await startTerminalServer()
  const [admin, member] = [await server.signIn(), await server.signIn('member')]
  expect(await list(member)).toEqual([])
  await save(admin, { name: ' Disk ', text: 'df -h {{path}}' })
  expect(await list(member)).toEqual([{ id: 1, name: 'Disk', text: 'df -h {{path}}' }])
  expect(await save(admin, { name: 'Disk', text: 'df' })).toEqual({
    error: 'there is a shared snippet of that name already',
  })
  await save(admin, { id: 1, name: 'Disk', text: 'df -i' })
  await save(admin, { name: 'Who', text: 'who' })
  expect(await list(member)).toMatchObject([{ id: 1, text: 'df -i' }, { id: 2 }])
  await admin.call('DELETE', 'wheelhouse/snippets/1')
  expect(await list(member)).toMatchObject([{ id: 2, name: 'Who' }])
  expect(await save(admin, { id: 1, name: 'Disk', text: 'df' })).toEqual({
    error: 'this snippet does not exist any more',
  })
  expect(server.audit.filter(({ action }) => action.startsWith('snippet.'))).toMatchObject([
    { action: 'snippet.update', target: 'snippet 1', detail: { name: 'Disk' } },
    { action: 'snippet.update', target: 'snippet 1' },
    { action: 'snippet.update', target: 'snippet 2' },
    { action: 'snippet.delete', target: 'snippet 1' },
  ])
})

it('members share none, and there is a limit on how many and how long', async () => {
  const server = await startTerminalServer()
  const [admin, member] = [await server.signIn(), await server.signIn('member')]
  expect(await save(member, { name: 'Mine', text: 'id' })).toHaveProperty('error')
  expect((await save(admin, { name: 'Long', text: 'x'.repeat(4001) })).error).toMatch(/^text is not valid/)
  for (let count = 0; count < 200; count += 1) await save(admin, { name: `s${count}`, text: 'id' })
  expect(await save(admin, { name: 'one more', text: 'id' })).toEqual({
    error: 'there can be 200 shared snippets: delete one first',
  })
  expect(await list(member)).toHaveLength(200)
})
