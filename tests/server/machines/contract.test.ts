import { describe, expect, it, onTestFinished } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const full = {
  price: 60,
  currency: 'EUR',
  cycle: 'year',
  ends_at: '2027-03-01T23:59:59Z',
  renews: true,
  quota_bytes: 1e12,
  quota_counts: 'larger',
  resets_on: 31,
  zone: 'Europe/Rome',
  provider: 'Example Hosting',
  note: 'by invoice',
}

async function withServer() {
  const server = await testServer()
  onTestFinished(() => server.app.close())
  const admin = await signedIn(server)
  entityTable(server.store, servers).insert({ name: 'web-1', uuid: 'a', user_id: 1 })
  const save = async (body: object) =>
    (await admin.call('PATCH', 'server/1', { body: { name: 'web-1', ...body } })).body
  const stored = async () => ((await admin.call('GET', 'server')).body as { data: { contract: unknown }[] }).data[0]
  return { server, admin, save, stored }
}

describe('the contract of a server', () => {
  it('is saved with defaults, kept by clients that do not know it, and cleared by null', async () => {
    const { save, stored } = await withServer()
    expect(await stored()).toMatchObject({ contract: null })
    expect(await save({ contract: { price: 5, currency: 'EUR' } })).toMatchObject({ success: true })
    expect(await stored()).toMatchObject({
      contract: { price: 5, currency: 'EUR', cycle: 'month', ends_at: '', quota_bytes: 0, resets_on: 1, zone: '' },
    })
    await save({ contract: full })
    await save({ note: 'changed by a client that knows no contracts' })
    expect(await stored()).toMatchObject({ contract: full })
    await save({ contract: null })
    expect(await stored()).toMatchObject({ contract: null })
  })

  it.each([
    [{ price: -1 }, 'contract.price must be at least 0'],
    [{ price: 1e13 }, 'contract.price must be at most 1000000000000'],
    [{ currency: 'euro' }, 'contract.currency: Must be a code of three letters, such as EUR'],
    [{ resets_on: 32 }, 'contract.resets_on must be at most 31'],
    [{ quota_bytes: 1.5 }, 'contract.quota_bytes must be an integer'],
    [{ zone: 'Rome' }, 'contract.zone: Not a time zone; it needs a name such as Europe/Rome'],
    [{ provider: 'x'.repeat(129) }, 'contract.provider must have at most 128 characters'],
    [{ note: 'x'.repeat(4_097) }, 'contract.note must have at most 4096 characters'],
  ])('is refused in words with %j', async (wrong, error) => {
    const { save, stored } = await withServer()
    expect(await save({ contract: { ...full, ...wrong } })).toMatchObject({ error })
    expect(await stored()).toMatchObject({ contract: null })
  })

  it('is in the history of changes, and undone with it', async () => {
    const { admin, save, stored } = await withServer()
    await save({ contract: full })
    await save({ contract: { ...full, price: 70 } })
    const { body } = await admin.call('GET', 'changes?entity=server&id=1')
    expect(JSON.stringify(body)).toContain('"price":70')
    await save({ contract: full })
    expect(await stored()).toMatchObject({ contract: { price: 60 } })
  })
})
