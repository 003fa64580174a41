import { expect, it } from 'vitest'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A machine with an incident, and another one without. */
async function withIncident() {
  const hosts = ['web-1', 'web-2'].map((name) => createTestHost({ uuid: name, name }))
  const server = await testServer({
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  for (const host of hosts) host.report({ at: new Date(server.clock.now) })
  await server.app.ready()
  const { incidents, tasks } = server.app
  const about = { service_id: 0, rule_id: 3, owner_id: 1, host: '', is_gone: false, rule_name: 'CPU' }
  const busy: Trouble = {
    ...about,
    kind: 'alarm',
    id: 7,
    server_id: 1,
    name: 'web-1 CPU',
    started_at: server.clock.now,
  }
  incidents.begin(busy)
  const admin = await signedIn(server)
  const save = async (path: string, body: object) => {
    const reply = await admin.call('POST', path, { body })
    expect(reply.body).toMatchObject({ success: true })
    return (reply.body as { data: number }).data
  }
  return {
    ...server,
    hosts,
    busy,
    save,
    /** Runs a command on a server, as somebody asks for it. */
    async run(name: string, server_id: number) {
      const task = { name, task_type: 1, command: 'x', cover: 0, servers: [server_id] }
      await save(`cron/${await save('cron', task)}/manual`, {})
      await tasks.idle()
    },
    entries: () => incidents.get(1)?.entries.map(({ kind, name, text }) => ({ kind, name, text })),
  }
}

it('the diary of an incident says who muted what it is about', async () => {
  const { app, save, entries } = await withIncident()
  const ends_at = '2100-01-01T00:00:00Z'
  await save('wheelhouse/mutes', { name: 'other', server_id: 2, ends_at })
  await save('wheelhouse/mutes', { name: 'until Monday', server_id: 1, ends_at })
  app.incidents.tick()
  app.incidents.tick()
  expect(entries()).toEqual([{ kind: 'muted', name: 'admin', text: 'until Monday' }])
})

it('the diary of an incident has the tasks that somebody runs on its servers, and how they end', async () => {
  const { hosts, run, entries, app, busy, clock } = await withIncident()
  await run('restart nginx', 1)
  await run('elsewhere', 2)
  if (hosts[0]) hosts[0].answer = async () => ({ output: '', exitCode: 1, ended: 'exited', truncated: false })
  await run('clean up', 1)
  const expected = [
    { kind: 'task_run', text: 'restart nginx: web-1' },
    { kind: 'task_failed', text: 'clean up: web-1' },
  ]
  expect(entries()).toMatchObject(expected)
  app.incidents.end(busy, false)
  clock.now += 60_000
  for (const host of hosts) host.report({ at: new Date(clock.now) })
  await run('later', 1)
  expect(entries()).toHaveLength(expected.length)
})
