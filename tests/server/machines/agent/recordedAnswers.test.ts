import { describe, expect, it } from 'vitest'
import { runByAgent } from '../../../../server/machines/hosts/agent/agentCommand.ts'
import type { AgentConnection, AgentResult } from '../../../../server/machines/hosts/agent/agentConnection.ts'
import { probeByAgent } from '../../../../server/machines/hosts/agent/agentProbe.ts'
import { readScene } from '../../../support/agent/recordings.ts'

/** A connection to the agent of a scene, which answers what it was asked there. */
function recordedAgent(scene: string): AgentConnection {
  const { events } = readScene(scene)
  const tasks = events.filter(({ dir, type }) => dir === 'down' && type === 'Task')
  const results = events.filter(({ dir, type }) => dir === 'up' && type === 'TaskResult')
  return {
    async request({ type, data = '' }: { type: number; data?: string }): Promise<AgentResult> {
      const task = tasks.find(({ msg }) => msg?.type === type && (msg.data ?? '') === data)
      const result = results.find(({ msg }) => msg?.type === type && msg.id === task?.msg?.id)
      if (!task || !result) throw new Error(`nobody has asked for ${data} in ${scene}`)
      return { delay: 0, data: '', successful: false, ...result.msg }
    },
  } as unknown as AgentConnection
}

const old = 'old-agent-v1.14.4-tasks'
const oldest = 'old-agent-v1.9.7-tasks'
const noName = /^lookup no-such-host.invalid on .* i\/o timeout$/

describe('what real agents answered to a check (docs/contract/AGENT.md#7-probes-and-commands-m)', () => {
  it.each([
    ['probes', 'http', 'http://127.0.0.1:7002/ok', 'up'],
    ['probes', 'http', 'http://127.0.0.1:7002/302', 'up'],
    ['probes', 'http', 'https://localhost:7443/', 'up'],
    ['probes', 'http', 'http://127.0.0.1:7002/404', /^404 Not Found$/],
    ['probes', 'http', 'http://127.0.0.1:7002/500', /^500 Internal Server Error$/],
    ['probes', 'http', '127.0.0.1:7002', /^invalid URL: only http and https schemes are supported$/],
    ['probes', 'http', 'ftp://127.0.0.1/x', /^invalid URL/],
    ['probes', 'http', 'http://127.0.0.1:1/', /: dial tcp 127\.0\.0\.1:1: connect: connection refused$/],
    ['probes', 'http', 'https://127.0.0.1:7002/', /tls: first record does not look like a TLS handshake$/],
    ['probes', 'http', 'https://localhost:7445/', /x509: certificate signed by unknown authority/],
    ['probes', 'http', 'http://192.0.2.1/', /context deadline exceeded$/],
    ['probes', 'http', 'http://127.0.0.1:7002/slow', /context deadline exceeded/],
    ['probes', 'http', 'http://no-such-host.invalid/', /lookup no-such-host\.invalid/],
    ['probes', 'icmp', '127.0.0.1', 'up'],
    ['probes', 'icmp', '192.0.2.1', /^pockets recv 0$/],
    ['probes', 'icmp', 'no-such-host.invalid', noName],
    ['probes', 'icmp', 'http://127.0.0.1', /^lookup http:\/\/127\.0\.0\.1: no such host$/],
    ['probes', 'tcp', '127.0.0.1:7002', 'up'],
    ['probes', 'tcp', 'localhost:7002', 'up'],
    ['probes', 'tcp', '[::1]:7001', 'up'],
    ['probes', 'tcp', '127.0.0.1:1', /^dial tcp 127\.0\.0\.1:1: connect: connection refused$/],
    ['probes', 'tcp', '192.0.2.1:80', /^dial tcp 192\.0\.2\.1:80: i\/o timeout$/],
    ['probes', 'tcp', '198.51.100.1:80', /connect: invalid argument$/],
    ['probes', 'tcp', '127.0.0.1', /^address 127\.0\.0\.1: missing port in address$/],
    ['probes', 'tcp', 'no-such-host.invalid:80', noName],
    [old, 'http', 'https://localhost:7443/', 'up'],
    [old, 'http', 'http://127.0.0.1:7002/302', 'up'],
    [old, 'http', 'http://127.0.0.1:7002/404', /^404 Not Found$/],
    [old, 'http', 'https://localhost:7445/', /x509: certificate signed by unknown authority/],
    [old, 'http', 'ftp://x/', /^Get "ftp:\/\/x\/": unsupported protocol scheme "ftp"$/],
    [oldest, 'http', 'https://localhost:7443/', 'up'],
    [oldest, 'http', 'http://127.0.0.1:7002/404', /^404 Not Found$/],
    [oldest, 'http', 'ftp://x/', /^Get "ftp:\/\/x\/": unsupported protocol scheme "ftp"$/],
    ['disabled-features', 'http', 'http://127.0.0.1:7002/', 'not permitted'],
    ['disabled-features', 'icmp', '127.0.0.1', 'not permitted'],
    ['disabled-features', 'tcp', '127.0.0.1:7002', 'not permitted'],
  ] as const)('%s: %s of %s is %s', async (scene, type, target, expected) => {
    const result = await probeByAgent(recordedAgent(scene), { type, target }, { timeoutMs: 10_000, allowPrivate: true })
    if (expected === 'up') expect(result).toEqual({ outcome: 'up', delay: expect.any(Number) })
    else if (expected === 'not permitted') expect(result).toMatchObject({ outcome: 'not permitted' })
    else expect(result).toEqual({ outcome: 'down', problem: expect.stringMatching(expected) })
  })
})

describe('what real agents answered to a command', () => {
  it.each([
    ['commands', 'echo hello', 0, 'hello\n'],
    ['commands', 'printf "a\\nb\\n"', 0, 'a\nb\n'],
    ['commands', 'true', 0, ''],
    ['commands', 'echo err >&2', 0, ''],
    ['commands', 'echo out; echo err >&2; exit 3', 3, 'out\n'],
    ['commands', 'no-such-command-xyz', 127, ''],
    ['commands', 'if', 2, ''],
    ['commands', 'kill -9 $$', null, ''],
    ['commands', 'sleep 3; echo done', 0, 'done\n'],
    ['commands', 'test -t 0 || echo notty; pwd', 0, 'notty\n/srv/demo\n'],
    [old, 'echo out; echo err >&2; exit 3', 3, 'out\n'],
    [oldest, 'echo out; echo err >&2; exit 3', 3, 'out\n'],
  ] as const)('%s: %j has the exit code %s and the output %j', async (scene, command, exitCode, output) => {
    const result = await runByAgent(recordedAgent(scene), command, { timeoutMs: 1000, maxOutputBytes: 1000 })
    expect(result).toEqual({ ended: 'exited', exitCode, output, truncated: false })
  })

  it('is "not started" when commands are switched off', async () => {
    const result = await runByAgent(recordedAgent('disabled-features'), 'echo hi', {
      timeoutMs: 1000,
      maxOutputBytes: 1000,
    })
    expect(result).toMatchObject({ ended: 'failed', exitCode: null, output: expect.stringContaining('switched off') })
  })
})
