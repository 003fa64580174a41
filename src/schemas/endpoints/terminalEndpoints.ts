import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'
import { endpoints } from './index.ts'

/** An open terminal of the caller, or of anybody for administrators. */
const heldTerminal = z.looseObject({
  /** As the audit log names it; the id of its socket is not told. */
  id: z.string(),
  server_id: z.int(),
  server_name: z.string(),
  /** Who opened it. */
  username: z.string(),
  opened_at: moment(),
  /** When somebody typed in it last. */
  used_at: moment(),
  /** When it ends, unless a browser shows it again; absent while one does. */
  held_until: moment().optional(),
})
export type HeldTerminal = z.output<typeof heldTerminal>

const common = { scopes: ['nezha:server:exec'], keepsToServers: true } as const

/** Open terminals: only where `GET /setting` says `wheelhouse.terminal_hold`. */
export const terminalEndpoints = {
  heldTerminals: endpoint('GET', 'wheelhouse/terminals', { ...common, reply: z.array(heldTerminal).default([]) }),
  /** Gives what it takes to show it in another browser; the one that shows it now is told. */
  attachTerminal: endpoint('POST', 'wheelhouse/terminals/:session/attach', {
    ...common,
    reply: endpoints.openTerminal.reply,
    leadsTo: 'command',
  }),
  endTerminal: endpoint('POST', 'wheelhouse/terminals/:session/end', common),
}
