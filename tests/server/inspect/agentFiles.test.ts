import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startServerWithAgent } from '../../support/server/fixtures/serverWithAgent.ts'

/** The calls about files of the machine behind the agent. */
async function files(options: Parameters<typeof startServerWithAgent>[0]) {
  const { signIn, folder } = await startServerWithAgent(options)
  const admin = await signIn()
  const path = 'wheelhouse/servers/1/files'
  const list = async () => (await admin.get(`${path}?path=${encodeURIComponent(folder)}`)).body
  await vi.waitFor(async () => {
    const known = await list()
    expect(known).toHaveProperty('data')
    expect(known).not.toHaveProperty('data.cause', 'offline')
  })
  return {
    folder,
    list,
    post: async (act: string, body: object) => (await admin.call('POST', `${path}/${act}`, { body })).body,
  }
}

it('files behind an agent are listed, moved and deleted, whatever their names are', async () => {
  const { folder, list, post } = await files({ version: '2.3.3' })
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.of(0xe9)]), 'abc')
  mkdirSync(join(folder, 'old\n'))
  expect(await list()).toMatchObject({
    data: {
      items: expect.arrayContaining([
        expect.objectContaining({ name: 'caf%e9', kind: 'file', size: 3 }),
        expect.objectContaining({ name: 'old\n', kind: 'folder' }),
      ]),
    },
  })
  const items = [{ from: `${folder}/caf%e9`, to: `${folder}/old\n/-café` }]
  expect(await post('move', { items })).toMatchObject({ success: true })
  expect(readdirSync(join(folder, 'old\n'))).toEqual(['-café'])
  expect(await post('delete', { paths: [`${folder}/old\n`] })).toMatchObject({ success: true })
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  ['agent_version', { version: '1.14.4' as const }],
  ['commands_off', { version: '2.3.3' as const, settings: { disable_command_execute: true } }],
])('an agent says what is missing (%s), and changes nothing', async (cause, options) => {
  const { folder, list, post } = await files(options)
  expect(await list()).toMatchObject({ data: { items: [], cause } })
  expect(await post('create', { path: `${folder}/new`, kind: 'folder' })).toHaveProperty('error')
  expect(readdirSync(folder)).toEqual([])
})
