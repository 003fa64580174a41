import { z } from 'zod'
import type { Profile } from '../account/profile.ts'
import { roles } from '../define/access.ts'
import { endpoint } from '../define/endpoint.ts'
import type { Setting } from '../settings/setting.ts'

/** The secret of one's own agents: only where `GET /setting` says `wheelhouse.agents`. */
export const agentSecretEndpoints = {
  /** The servers whose agents have the caller's secret: they lose their connection when it is renewed. */
  agentsOfSecret: endpoint('GET', 'wheelhouse/agents/own', {
    reply: z.array(z.object({ server_id: z.int(), name: z.string(), online: z.boolean() })).default([]),
  }),
  /** A new secret for the caller's agents. Those with the old one are disconnected and refused. */
  renewAgentSecret: endpoint('POST', 'profile/agent-secret', {
    reply: z.object({ agent_secret: z.string() }),
    leadsTo: 'secret',
  }),
} as const

/**
 * The secret with which a new agent registers. Servers up to v1.9 send administrators the secret of the whole site, and
 * servers that register with it have no owner; on others each user has a secret.
 */
export function installSecret({ config }: Setting, { role, agent_secret }: Profile): string | undefined {
  const shared = config.agent_secret_key
  return role === roles.admin && typeof shared === 'string' && shared !== '' ? shared : agent_secret
}
