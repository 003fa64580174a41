import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startAgentServer } from '../../support/agent/agentServer.ts'
import { mmdbFile } from '../../support/agent/mmdbFile.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

function databaseFile(content: Buffer | string): string {
  const path = join(temporaryFolder(), 'countries.mmdb')
  writeFileSync(path, content)
  return path
}

const germany = { country: { iso_code: 'DE' }, continent: { code: 'EU' } }

it('the country of an agent is looked up in the file that GEOIP_DB names', async () => {
  const { calls } = await startAgentServer({
    geoipDatabase: databaseFile(
      mmdbFile({ 203: germany, 198: { continent: { code: 'AS' } }, 10: { country: { iso_code: 276 } } }),
    ),
  })
  const report = async (ip: object, use6 = false) => (await calls().unary('ReportGeoIP', { ip, use6 })).country_code
  expect(await report({ ipv4: '203.0.113.7' })).toBe('de')
  expect(await report({ ipv4: '198.51.100.1', ipv6: '2001:db8::1' })).toBe('as')
  // The database has no IPv6.
  expect(await report({ ipv4: '203.0.113.7', ipv6: '2001:db8::1' }, true)).toBeUndefined()
  expect(await report({ ipv4: '192.0.2.1' })).toBeUndefined()
  expect(await report({ ipv4: 'banana' })).toBeUndefined()
  // A number in place of the letters.
  expect(await report({ ipv4: '10.0.0.1' })).toBeUndefined()
})

it('a new address database is used a minute later, and a broken one is not', async () => {
  const path = databaseFile(mmdbFile({ 203: germany }))
  const { calls, clock, rows, logged } = await startAgentServer({ geoipDatabase: path })
  const states = calls().stream('ReportSystemState')
  const replace = async (content: Buffer | string, minutes: number) => {
    writeFileSync(path, content)
    utimesSync(path, minutes, minutes)
    clock.now += 60_000
    const { country_code } = await calls().unary('ReportGeoIP', { ip: { ipv4: '203.0.113.7' } })
    return country_code
  }
  expect(await replace('no database', 1)).toBe('de')
  expect(logged.at(-1)).toContain('cannot be read')
  expect(await replace(mmdbFile({ 203: { country: { iso_code: 'FR' } } }), 2)).toBe('fr')
  const receipt = new Promise((resolve) => states.onMessage(resolve))
  states.send({})
  await receipt
  expect(await rows()).toMatchObject([{ geoip: { country_code: 'fr', ip: { ipv4_addr: '203.0.113.7' } } }])
})

it('a start with a file that is no address database fails with a message', async () => {
  await expect(startAgentServer({ geoipDatabase: databaseFile('no database') })).rejects.toThrow(
    /^GEOIP_DB is .*: set it to an address database in the MMDB format/,
  )
})
