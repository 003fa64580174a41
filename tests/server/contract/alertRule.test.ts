import { beforeAll, describe, expect, it } from 'vitest'
import { type DataApp, member, withServerAndGroup } from '../../support/console/dataApp.ts'
import { expectAsRecorded, named, readRecording } from '../../support/recorded/recording.ts'

describe('exchanges about alert rules recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServerAndGroup()
  })

  // A real server fails on `null` among the rules, with a 500.
  const exchanges = readRecording('alert-rule').filter(({ response }) => response.status === 200)

  it.each(named(exchanges))('%s', async (_, one) => {
    await expectAsRecorded(data, one)
  })
})

describe('exchanges of a member about alert rules recorded with a real server are answered the same', () => {
  let data: DataApp
  const rules = [{ type: 'cpu', max: 1, duration: 3 }]
  beforeAll(async () => {
    data = await withServerAndGroup()
    for (let id = 2; id <= 3; id++) await data.call('POST', 'notification-group', { name: 'on call' })
    for (let id = 1; id <= 17; id++) await data.call('POST', 'cron', { name: 'adminc', task_type: 1 })
    for (let id = 1; id <= 6; id++) await data.call('POST', 'alert-rule', { name: 'admina', rules })
  })
  const exchanges = readRecording('roles-member').filter(({ name }) => name.includes('alert-rule'))

  it.each(named(exchanges))('%s', async (_, one) => {
    await expectAsRecorded(data, one, member)
  })
})

describe('alert rules', () => {
  const save = async (rules: unknown) => {
    const { call } = await withServerAndGroup()
    return (await call('POST', 'alert-rule', JSON.stringify({ name: 'x', rules }))).body
  }

  it('are refused when a rule is not an object', async () => {
    const place = 'into Go struct field AlertRuleForm.rules'
    expect(await save([null])).toEqual({ error: `json: cannot unmarshal null ${place} of type model.Rule` })
    expect(await save([5])).toEqual({ error: `json: cannot unmarshal number 5 ${place} of type model.Rule` })
    expect(await save([{ type: 5 }])).toEqual({ error: `json: cannot unmarshal number 5 ${place}.type of type string` })
    expect(await save([{ type: 'cpu', ignore: [1] }])).toEqual({
      error: `json: cannot unmarshal array ${place}.ignore of type map[uint64]bool`,
    })
  })

  it('are refused with a start date that does not exist', async () => {
    const rule = { type: 'transfer_in_cycle', cycle_interval: 1, cycle_start: '2025-02-30T00:00:00Z' }
    expect(await save([rule])).toEqual({ error: 'parsing time "2025-02-30T00:00:00Z": day out of range' })
  })

  it('keep unknown keys', async () => {
    const { call } = await withServerAndGroup()
    const rules = [{ type: 'cpu', max: 90, duration: 3, cover: 0, mood: { later: [1, null] } }]
    await call('POST', 'alert-rule', { name: 'x', rules })
    expect((await call('GET', 'alert-rule')).body).toMatchObject({ data: [{ rules }] })
  })

  it("cannot name somebody else's server", async () => {
    const { call } = await withServerAndGroup()
    const rules = [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { 1: true } }]
    expect((await call('POST', 'alert-rule', { name: 'x', rules }, member)).body).toEqual({
      error: 'permission denied',
    })
  })
})
