import { describe, expect, it } from 'vitest'
import { runByAgent } from '../../../../server/machines/hosts/agent/agentCommand.ts'
import { createAgentConfig } from '../../../../server/machines/hosts/agent/agentConfig.ts'
import {
  type AgentConnection,
  AgentGone,
  type AgentResult,
  type AgentTask,
  AgentTimeout,
} from '../../../../server/machines/hosts/agent/agentConnection.ts'
import { probeByAgent } from '../../../../server/machines/hosts/agent/agentProbe.ts'
import { isOlderThan } from '../../../../server/machines/hosts/agent/agentVersion.ts'

type Answer = Partial<AgentResult> | Error

/** A connection to an agent that answers every task so, or not at all. @param given the answer, or each in turn */
function connectionWith(given: Answer | readonly Answer[]) {
  const asked: (AgentTask & { timeoutMs: number })[] = []
  const connection = {
    async request(task: AgentTask, { timeoutMs }: { timeoutMs: number }) {
      asked.push({ ...task, timeoutMs })
      const answer = Array.isArray(given) ? (given as Answer[])[asked.length - 1] : (given as Answer)
      if (answer instanceof Error) throw answer
      return { delay: 0, data: '', successful: false, ...answer }
    },
  } as unknown as AgentConnection
  return { connection, asked }
}

const gone = new AgentGone('gone')
const silent = new AgentTimeout('silent')

describe('a check by an agent', () => {
  const options = { timeoutMs: 10_000, allowPrivate: false }
  const check = (type: 'http' | 'icmp' | 'tcp', answer: Partial<AgentResult> | Error) =>
    probeByAgent(connectionWith(answer).connection, { type, target: ' x ' }, options)

  it.each([
    ['http', { successful: true, delay: 12.5 }, { outcome: 'up', delay: 12.5 }],
    ['http', { successful: true, delay: 12_000 }, { outcome: 'down', problem: 'answered after 12.0 s only' }],
    ['http', { data: '\n应用错误: 404 Not Found', delay: 3 }, { outcome: 'down', problem: '404 Not Found' }],
    ['tcp', { data: 'dial tcp x: i/o timeout' }, { outcome: 'down', problem: 'dial tcp x: i/o timeout' }],
    ['icmp', { data: 'pockets recv 0' }, { outcome: 'down', problem: 'pockets recv 0' }],
    [
      'icmp',
      { data: 'This server has disabled query sending' },
      { outcome: 'not permitted', problem: 'checks are switched off on this machine (disable_send_query)' },
    ],
    ['tcp', gone, undefined],
    ['tcp', silent, undefined],
  ] as const)('of type %s that is answered with %o is %o', async (type, answer, expected) => {
    expect(await check(type, answer)).toEqual(expected)
  })

  it('waits as long as the agent itself does: pings take four seconds, and twenty when nobody answers', async () => {
    const { connection, asked } = connectionWith({ successful: true })
    for (const type of ['http', 'icmp', 'tcp'] as const) {
      await probeByAgent(connection, { type, target: ' x ' }, { ...options, timeoutMs: 1000 })
    }
    expect(asked).toEqual([
      { type: 1, data: 'x', timeoutMs: 35_000 },
      { type: 2, data: 'x', timeoutMs: 25_000 },
      { type: 3, data: 'x', timeoutMs: 15_000 },
    ])
  })

  it('keeps no more than 500 characters of a reason', async () => {
    expect(await check('tcp', { data: 'x'.repeat(10_000) })).toMatchObject({ problem: 'x'.repeat(500) })
  })
})

describe('a command on an agent', () => {
  const run = (answer: Partial<AgentResult> | Error, maxOutputBytes = 1000) =>
    runByAgent(connectionWith(answer).connection, 'x', { timeoutMs: 1000, maxOutputBytes })

  it.each([
    [
      { successful: true, data: 'a\n' },
      { exitCode: 0, ended: 'exited', output: 'a\n' },
    ],
    [{ data: 'out\n\nexit status 3' }, { exitCode: 3, ended: 'exited', output: 'out\n' }],
    [{ data: '\nexit status 127' }, { exitCode: 127, ended: 'exited', output: '' }],
    [{ data: 'a\nsignal: killed' }, { exitCode: null, ended: 'exited', output: 'a' }],
    [{ data: '任务执行超时\nhalf' }, { exitCode: null, ended: 'timeout', output: 'half' }],
    [{ data: '此 Agent 已禁止命令执行' }, { ended: 'failed', output: expect.stringContaining('switched off') }],
    [{ data: 'fork/exec: no memory' }, { ended: 'failed', output: 'fork/exec: no memory' }],
    [gone, { exitCode: null, ended: 'lost', output: expect.stringContaining('may have run to its end') }],
    [silent, { exitCode: null, ended: 'timeout' }],
  ] as const)('that is answered with %o is %o', async (answer, expected) => {
    expect(await run(answer)).toMatchObject(expected)
  })

  it('keeps the end of a long output', async () => {
    expect(await run({ successful: true, data: `${'x'.repeat(2000)}end` }, 5)).toMatchObject({
      output: 'xxend',
      truncated: true,
    })
  })
})

describe('settings of an agent', () => {
  const config = (version: string, answer: Partial<AgentResult> | Error) =>
    createAgentConfig(connectionWith(answer).connection, () => version)

  it.each([
    ['1.6.9', {}, 'agent 1.6.9 is too old for this: it needs version 1.7.0'],
    ['2.3.3', silent, 'the agent did not answer within 10 seconds'],
    ['2.3.3', gone, 'the agent disconnected before it answered'],
    ['2.3.3', { data: 'report-delay ranges from 1-4' }, 'report-delay ranges from 1-4'],
    [
      '2.3.3',
      { data: '此 Agent 已禁止命令执行 (DisableCommandExecute)' },
      'commands are switched off on this machine (disable_command_execute)',
    ],
    ['2.3.3', {}, 'the agent refused without a reason'],
  ] as const)('that agent %s does not accept (%o) are refused in words: %s', async (version, answer, reason) => {
    await expect(config(version, answer).apply('{}')).rejects.toThrow(reason)
  })

  it.each([
    ['is about to reload them', { data: 'another reload is in process' }, { reconnects: true }],
    ['says nothing more', silent, { reconnects: false }],
    ['is gone', gone, { reconnects: false }],
    ['still reports those from before', { successful: true, data: '{}' }, 'the agent did not take the settings'],
  ])(
    'of an agent before 2.0.4, which does not answer for them, are what it says next: it %s',
    async (_, next, expected) => {
      const { connection, asked } = connectionWith([{ successful: true, data: '{}' }, {}, next])
      const applied = await createAgentConfig(connection, () => '1.14.4')
        .apply('{"gpu":true}')
        .catch(({ message }: Error) => message)
      if (typeof expected === 'string') expect(applied).toContain(expected)
      else expect(applied).toEqual(expected)
      expect(asked.map(({ type }) => type)).toEqual([12, 13, 12])
    },
  )

  it.each([
    ['it is about to reload others', { data: 'another reload is in process' }, 'another reload is'],
    ['commands are off', { data: '此 Agent 已禁止命令执行' }, 'commands are switched off'],
  ])('are not sent to an agent before 2.0.4 when %s', async (_, before, reason) => {
    const { connection, asked } = connectionWith(before)
    await expect(createAgentConfig(connection, () => '1.14.4').apply('{}')).rejects.toThrow(reason)
    expect(asked.map(({ type }) => type)).toEqual([12])
  })
})

it.each([
  ['2.0.3', '2.0.4', true],
  ['2.0.4', '2.0.4', false],
  ['1.14.4', '1.7.0', false],
  ['v1.6.12', '1.7.0', true],
  ['', '2.0.4', false],
  ['dev', '2.0.4', false],
])('agent %j is older than %s: %s', (version, minimum, expected) => {
  expect(isOlderThan(version, minimum)).toBe(expected)
})
