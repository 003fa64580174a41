import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../../src/domain/configuration/applyPlan.ts'
import { writeConfiguration } from '../../../src/domain/configuration/writeConfiguration.ts'
import { entities } from '../../../src/schemas/index.ts'
import { service } from '../../../src/schemas/service.ts'
import { plan, problems, stored } from '../../support/fakes/configurationFile.ts'

const token = '$' + '{SHOP_TOKEN}'
const key = '$' + '{SHOP_KEY}'
const variables = { SHOP_TOKEN: 'token-of-tests', SHOP_KEY: 'key-of-tests' }
const text = `service:
  - name: shop
    type: http
    target: https://shop.example/
    check:
      kind: http
      # of the shop's API
      headers: { X-Key: "${key}", Accept: "" }
      auth: { kind: bearer, token: "Bearer ${token}" }
      codes: "200"
`
/** The service as the server shows it: with an empty text in the place of each secret. */
const row = (check: object = {}) => ({
  id: 3,
  name: 'shop',
  type: 1,
  target: 'https://shop.example/',
  check: {
    kind: 'http',
    headers: { 'X-Key': '', Accept: '' },
    auth: { kind: 'bearer', token: '' },
    codes: '200',
    ...check,
  },
})

describe('The secrets of a check in a configuration file', () => {
  it('are taken from variables for a new service, and shown nowhere in the plan', () => {
    const { changes, variables: named, problems } = plan(text, stored({ service: [] }), { variables })
    expect([named, problems]).toEqual([['SHOP_KEY', 'SHOP_TOKEN'], []])
    expect(JSON.stringify(changes[0]?.fields)).not.toMatch(/of-tests|SHOP/)
    const [operation] = operationsOf(
      changes,
      stored({ service: [] }),
      (name) => Object.values(entities).find((one) => one.name === name) ?? service,
    )
    expect(operation).toMatchObject({
      verb: 'create',
      body: { check: { headers: { 'X-Key': 'key-of-tests', Accept: '' }, auth: { token: 'Bearer token-of-tests' } } },
    })
  })

  it('stay as they are on a service that exists, unless they are to be sent again', () => {
    const have = stored({ service: [row()] })
    expect(plan(text, have)).toMatchObject({ changes: [], variables: [], problems: [] })
    const other = plan(text, stored({ service: [row({ codes: '201' })] }))
    expect(other.changes[0]?.secrets).toBeUndefined()
    expect(other.changes[0]?.fields).toMatchObject([{ field: 'check', after: { codes: '200', auth: { token: '' } } }])
    const again = plan(text, have, { sendSecrets: true, variables })
    expect(JSON.parse(again.changes[0]?.secrets?.check ?? '')).toMatchObject({
      auth: { token: 'Bearer token-of-tests' },
    })
  })

  it('are asked for where a variable is not set', () => {
    expect(problems(text, stored({ service: [] }))).toEqual([
      `6:7: check: the variable ${key} is not set.`,
      `6:7: check: the variable ${token} is not set.`,
    ])
  })

  it('keep their variables when the file is exported over', () => {
    const written = writeConfiguration(stored({ service: [row({ codes: '204' })] }), text)
    for (const kept of [`X-Key: "${key}"`, `token: "Bearer ${token}"`, "# of the shop's API", '204']) {
      expect(written).toContain(kept)
    }
  })
})
