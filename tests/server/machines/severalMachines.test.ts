import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataApp } from '../../support/console/dataApp.ts'
import { startRunningHost } from '../../support/server/runningHost.ts'

async function withTwo() {
  const data = await dataApp()
  const hosts = ['web-1', 'web-2'].map((name) => startRunningHost({ uuid: `uuid-of-${name}`, name }))
  const rows = async () =>
    ((await data.call('GET', 'server')).body as { data?: { id: number; name: string; state: object }[] }).data ?? []
  for (const [index, host] of hosts.entries()) {
    data.machines.add(host)
    // One after the other, so that their ids are known.
    await expect.poll(async () => (await rows()).length).toBe(index + 1)
  }
  return { ...data, rows, folders: hosts.map(({ folder }) => folder) as [string, string] }
}

it('machines that run side by side each report, and get only their own settings', async () => {
  const { call, rows } = await withTwo()
  expect(await rows()).toMatchObject([
    { id: 1, name: 'web-1' },
    { id: 2, name: 'web-2' },
  ])
  const config = '{"skip_procs_count":true,"debug":true}'
  expect((await call('POST', 'server/config', { servers: [2], config })).body).toEqual({
    success: true,
    data: { success: [2] },
  })
  const settingsOf = async (id: number) => {
    const { data } = (await call('GET', `server/config/${id}`)).body as { data: string }
    return JSON.parse(data)
  }
  expect(await settingsOf(2)).toMatchObject({ uuid: 'uuid-of-web-2', debug: true, skip_procs_count: true })
  expect(await settingsOf(1)).toMatchObject({ uuid: 'uuid-of-web-1', debug: false, skip_procs_count: false })
  await expect.poll(async () => (await rows()).map(({ state }) => 'process_count' in state)).toEqual([true, false])
})

it.skipIf(process.platform === 'win32')(
  'a task touches the machines it covers, and leaves its files there',
  async () => {
    const { call, tasks, folders } = await withTwo()
    await call('POST', 'cron', { name: 'Mark', task_type: 1, cover: 0, servers: [2], command: 'echo "$HOME" > mark' })
    expect((await call('POST', 'cron/1/manual')).body).toMatchObject({ success: true })
    await tasks.idle()
    expect(readFileSync(join(folders[1], 'mark'), 'utf8')).toBe(`${folders[1]}\n`)
    expect(existsSync(join(folders[0], 'mark'))).toBe(false)
    expect((await call('GET', 'cron')).body).toMatchObject({ data: [{ last_result: true }] })
  },
)
