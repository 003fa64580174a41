import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { writeBehind } from '../../../server/db/writeBehind.ts'
import { openOutages } from '../../../server/services/outages.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const busy = {
  status: 423,
  body: {
    error:
      'another program is using the database of the server: nothing was saved; end that program, or wait and try again',
  },
}

let path: string
let store: Store

/** A server on a file, which another program can lock. */
async function serverOnFile(values: Partial<Store> = {}): Promise<TestServer> {
  const first = await testServer()
  first.store.backup(path)
  store = openStore(path)
  onTestFinished(() => store.close())
  return testServer({ store: { ...store, ...values } })
}

/** What a program does that writes for a long time. @returns ends it */
function holdDatabase(): () => void {
  const other = new DatabaseSync(path)
  other.exec('BEGIN EXCLUSIVE')
  let isHeld = true
  const release = () => {
    if (isHeld) other.close()
    isHeld = false
  }
  onTestFinished(release)
  return release
}

beforeEach(() => {
  path = join(temporaryFolder(), 'wheelhouse.db')
})

describe('while another program holds the database', () => {
  it('everything is read, people and programs are let in, and every screen says why nothing is saved', async () => {
    const server = await serverOnFile({ untilWritable: async () => false })
    const admin = await signedIn(server)
    const program = programWith(server, {})
    await admin.call('POST', 'server-group', { body: { name: 'Rack 1', servers: [] } })
    const release = holdDatabase()
    // Each of them would wait for the lock if one did.
    for (let reads = 0; reads < 50; reads++) {
      expect((await admin.get('server-group')).body).toMatchObject({ data: [{ group: { name: 'Rack 1' } }] })
      expect((await program.get('server-group')).body).toMatchObject({ success: true })
    }
    expect(await admin.call('POST', 'server-group', { body: { name: 'Rack 2', servers: [] } })).toMatchObject(busy)
    const other = await signedIn(server)
    expect((await other.get('profile')).body).toMatchObject({ data: { username: 'admin' } })
    const warnings = async () =>
      ((await other.get('setting')).body as { data: { wheelhouse: { warnings?: string[] } } }).data.wheelhouse.warnings
    expect(await warnings()).toEqual(['database_busy'])
    expect((await admin.call('POST', 'wheelhouse/logout')).body).toMatchObject({ success: true })
    expect((await admin.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
    release()
    expect(await warnings()).toBeUndefined()
    expect((await other.call('POST', 'server-group', { body: { name: 'Rack 2', servers: [] } })).status).toBe(200)
    await signedIn(server)
    expect(store.table<{ id: number }>({ name: 'session', columns: [] }).count()).toBe(2)
  })

  it('a save waits, and goes through as soon as the program is done', async () => {
    const server = await serverOnFile()
    const admin = await signedIn(server)
    const release = holdDatabase()
    const save = admin.call('POST', 'server-group', { body: { name: 'Rack 1', servers: [] } })
    // Others are served in the meantime.
    expect((await admin.get('profile')).status).toBe(200)
    release()
    expect(await save).toMatchObject({ status: 200, body: { success: true } })
  })

  it('a save whose session ends while it waits saves nothing', async () => {
    const server = await serverOnFile()
    const admin = await signedIn(server)
    const release = holdDatabase()
    const save = admin.call('POST', 'server-group', { body: { name: 'Rack 1', servers: [] } })
    // By now the save has come, and waits.
    expect((await admin.get('profile')).status).toBe(200)
    server.app.auth.sessions.revokeAll(1)
    release()
    expect((await save).body).toEqual({ error: 'ApiErrorUnauthorized' })
    expect((await (await signedIn(server)).get('server-group')).text).not.toContain('Rack 1')
  })

  it('what is written behind waits for it, and is reported once', async () => {
    store = openStore(path)
    const release = holdDatabase()
    const failures: unknown[] = []
    const writer = writeBehind(
      () => store.setValue('later', 1),
      (error) => failures.push(error),
    )
    writer.schedule()
    await expect.poll(() => failures.length).toBe(1)
    writer.flush()
    release()
    await expect.poll(() => store.value('later')).toBe(1)
    expect(failures).toHaveLength(1)
    store.close()
  })

  it('a thousand writes fail at once, where each would hold up everybody', () => {
    store = openStore(path)
    const release = holdDatabase()
    for (let writes = 0; writes < 1000; writes++) expect(() => store.setValue('a', writes)).toThrow('locked')
    release()
    store.setValue('a', 1)
    expect(store.value('a')).toBe(1)
    store.close()
  })

  it('a write that fails for a reason of its own keeps no other from being made', () => {
    const lost: unknown[] = []
    store = openStore(path, { onLostWrite: (error) => lost.push(error) })
    const fails = (text: string) => () => {
      store.setValue(text, true)
      throw new Error(text)
    }
    expect(() => store.eventually(fails('at once'))).toThrow('at once')
    const release = holdDatabase()
    store.eventually(fails('later'))
    store.eventually(() => store.setValue('first', true))
    release()
    store.eventually(() => store.setValue('second', true))
    expect(['first', 'second', 'at once', 'later'].map((key) => store.value(key))).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
    expect(lost).toEqual([new Error('later')])
    store.close()
  })

  it('what counts already, and outages of services, are written in their order, at the end at the latest', () => {
    store = openStore(path)
    openOutages(store, () => {})
    const release = holdDatabase()
    store.eventually(() => store.setValue('used', true))
    const outages = openOutages(store, (error) => expect(error).toBeUndefined())
    outages.begin(7, { started_at: 1, problem: 'refused', server_name: '' })
    outages.end(7, 2)
    expect([store.value('used'), outages.of(7)]).toEqual([undefined, []])
    release()
    store.close()
    store = openStore(path)
    expect(store.value('used')).toBe(true)
    expect(openOutages(store, () => {}).of(7)).toMatchObject([{ started_at: 1, ended_at: 2, problem: 'refused' }])
    store.close()
  })
})
