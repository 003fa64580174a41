import { workerData } from 'node:worker_threads'
import { TestAgent } from '../../../tests/support/agent/testAgent.ts'

export interface TunnelThreadOptions {
  port: number
  /** The agent secret of a user. */
  secret: string
  count: number
  /** How many of them open no stream, and do not say that they have it switched off. */
  silent: number
}

const { port, secret, count, silent } = workerData as TunnelThreadOptions

/** Agents that open connections, in a thread of their own. */
for (let index = 0; index < count; index++) {
  const isSilent = index < silent
  const agent = new TestAgent({
    server: `127.0.0.1:${port}`,
    secret,
    uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    settings: { report_delay: 4, disable_nat: isSilent, disable_command_execute: isSilent },
  })
  // Not all in the same moment.
  setTimeout(() => agent.start(), index * 20)
}
