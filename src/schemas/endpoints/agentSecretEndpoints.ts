import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

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
