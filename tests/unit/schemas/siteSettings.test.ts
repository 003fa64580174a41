import { describe, expect, it } from 'vitest'
import { newlyBound } from '../../../src/custom/profile/pendingBinding.ts'
import { realIpRecovery } from '../../../src/custom/settings/ReviewDialog.tsx'
import { settingSectionsOf } from '../../../src/custom/settings/SettingsForm.tsx'
import { setting } from '../../../src/schemas/settings/setting.ts'
import { siteSetting } from '../../../src/schemas/settings/siteSetting.ts'

const server = (config: object, beside: object = {}) => setting.parse({ config, ...beside })
const shown = (one: ReturnType<typeof server>) => settingSectionsOf(one).flatMap(([, keys]) => keys)

describe('The settings that are shown', () => {
  it('are all of them on the embedded server, empty or not, each once', () => {
    const settings_in_use = Object.keys(siteSetting.form.shape)
    const embedded = server({}, { tsdb_enabled: true, wheelhouse: { settings_in_use } })
    expect(shown(embedded).sort()).toEqual(Object.keys(siteSetting.form.shape).sort())
  })

  it('are all but those of the embedded server on a current server', () => {
    const own = [
      'records_per_member',
      'require_second_factor',
      'reauthentication_minutes',
      'reauthentication_everybody',
      'check_user_agent',
      'session_binding',
      'hide_password_form',
      'terminal_hold_minutes',
      'terminal_recording',
      'recorded_servers',
      'recording_days',
      'inspect_minutes',
    ]
    const expected = Object.keys(siteSetting.form.shape).filter((name) => !own.includes(name))
    expect(shown(server({}, { tsdb_enabled: false })).sort()).toEqual(expected.sort())
  })

  it('are those of its version on an old server, and others that it sends', () => {
    expect(shown(server({}))).not.toContain('enable_mcp')
    expect(shown(server({}))).not.toContain('agent_real_ip_header')
    expect(shown(server({}))).toContain('web_real_ip_header')
    expect(shown(server({ dashboard_host: 'a.example' }))).toContain('dashboard_host')
  })
})

describe('The way back from a wrong real-IP header', () => {
  it.each([
    ['the embedded server', server({}, { wheelhouse: {} }), '', 'REAL_IP_HEADER=NZ::Use-Peer-IP'],
    ['the embedded server', server({}, { wheelhouse: {} }), 'X-Real-IP', 'REAL_IP_HEADER=X-Real-IP'],
    ['a current server', server({}, { tsdb_enabled: true }), '', 'web_real_ip_header: ""'],
    ['a server of the years between', server({ web_real_ip_header: 'X-A' }), 'X-A', 'web_real_ip_header: "X-A"'],
    ['an old server', server({ real_ip_header: 'X-A' }), 'X-A', 'real_ip_header: "X-A"'],
  ])('of %s is what restores the header that works now', (_, one, before, line) => {
    expect(realIpRecovery(one, before).line).toBe(line)
  })
})

describe('The accounts that a return from a provider has bound', () => {
  it('are those that were not there before, or were others', () => {
    expect(newlyBound({ github: '1', oidc: 'a' }, { github: '1', oidc: 'b', gitlab: '7' })).toEqual(['oidc', 'gitlab'])
    expect(newlyBound({ github: '1' }, {})).toEqual([])
  })
})
