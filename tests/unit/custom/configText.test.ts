import { describe, expect, it } from 'vitest'
import {
  mergedConfigText,
  pendingChanges,
  readConfigText,
  riskyChanges,
} from '../../../src/resources/server/agentConfig/configRequests.ts'
import { mapConcurrently } from '../../../src/resources/server/agentConfig/mapConcurrently.ts'

const own = { uuid: 'u-1', client_secret: 's-1', server: 'a:1', gpu: false, report_delay: 3, own_key: { deep: [1] } }

describe('the settings of an agent', () => {
  it('are sent as its own text with only the named ones changed', () => {
    expect(JSON.parse(mergedConfigText(own, { report_delay: 2 }))).toEqual({ ...own, report_delay: 2 })
  })

  it('never take over another agent’s identity', () => {
    const stolen = { gpu: true, uuid: 'u-2', client_secret: 's-2', server: 'b:2' }
    expect(JSON.parse(mergedConfigText(own, stolen))).toEqual({ ...own, gpu: true })
  })

  it('send null for a cleared list, because agents ignore missing keys', () => {
    const text = mergedConfigText({ ...own, nic_allowlist: { eth0: true } }, { nic_allowlist: undefined })
    expect(JSON.parse(text).nic_allowlist).toBeNull()
  })

  it('are not sent if they are equal already, missing ones included', () => {
    expect(pendingChanges(own, { gpu: false, debug: false, nic_allowlist: null, report_delay: 3 })).toEqual({})
    expect(pendingChanges(own, { gpu: true, debug: true, report_delay: 3 })).toEqual({ gpu: true, debug: true })
  })

  it.each(['zzz', '[1]', 'null', '3'])('cannot be read from %s', (text) => {
    expect(() => readConfigText(text)).toThrow('app.server_config.unreadable')
  })

  it('are risky if they disable a function, not if they enable one', () => {
    expect(riskyChanges({ disable_nat: true, disable_command_execute: true, disable_auto_update: true })).toEqual([
      'disable_command_execute',
      'disable_nat',
    ])
    expect(riskyChanges({ disable_nat: false })).toEqual([])
  })
})

describe('concurrent work', () => {
  it('is limited, and gives the results in order', async () => {
    let running = 0
    let most = 0
    const results = await mapConcurrently([5, 1, 4, 2, 3, 1, 2], 3, async (wait) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, wait))
      running--
      return wait * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30, 10, 20])
    expect(most).toBe(3)
  })
})
