import { entityTable } from '../../../server/entities/entityTable.ts'
import type { EntityName } from '../../../src/schemas/index.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../console/browser.ts'
import type { TestServer } from './testServer.ts'

/**
 * The entities that people make. Machines come by themselves; the lists of visitors and deeds are written by servers.
 */
export const madeByPeople = [
  ...['notification', 'notification-group', 'cron', 'service', 'alert-rule', 'ddns', 'nat', 'server-group', 'user'],
] as EntityName[]

/**
 * A form that the server takes, for every entity that people save, with all of its texts.
 * @param text stands in every free text, behind a prefix where it must be of some shape
 * @param server a machine that the person may name
 */
export function goodForm(name: EntityName, { text = 'any', server = 1 } = {}): Record<string, unknown> {
  const forms: Partial<Record<EntityName, Record<string, unknown>>> = {
    server: { name: text, display_index: 1, note: text, public_note: text, ddns_profiles: [] },
    service: { name: text, type: 1, target: `https://example.org/${text}`, duration: 30, cover: 0 },
    cron: { name: text, task_type: 0, scheduler: '0 0 3 * * *', command: text, servers: [server], cover: 0 },
    notification: {
      ...{ name: text, url: `https://example.org/${text}`, request_method: 2, request_type: 1 },
      ...{ request_header: JSON.stringify({ a: text }), request_body: text, verify_tls: true, skip_check: true },
    },
    'notification-group': { name: text, notifications: [] },
    'alert-rule': { name: text, enable: true, trigger_mode: 0, rules: [{ type: 'offline', duration: 10, cover: 0 }] },
    ddns: {
      ...{ name: text, provider: 'webhook', max_retries: 3, domains: [], access_id: text, access_secret: text },
      ...{ webhook_url: `https://example.org/${text}`, webhook_method: 2, webhook_request_type: 1 },
      ...{ webhook_request_body: text, webhook_headers: JSON.stringify({ a: text }) },
    },
    nat: { name: text, enabled: true, server_id: server, host: '10.0.0.1:80', domain: `nat-${server}.example.org` },
    'server-group': { name: text, servers: [server] },
    user: { username: text, password: 'a password', role: 1 },
  }
  const form = forms[name]
  if (!form) throw new Error(`Nobody saves a ${name}.`)
  return form
}

/** Adds a machine that nothing reports from. @returns its id */
export const addMachine = ({ store }: TestServer, owner: number, given: Record<string, unknown> = {}): number =>
  entityTable(store, entities.server).insert({
    ...{ created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' },
    ...{ name: 'machine', display_index: 0, uuid: `uuid of ${owner}`, user_id: owner, ...given },
  })

/** Makes a record as somebody. @returns its id */
export async function make(browser: Browser, name: EntityName, form: Record<string, unknown>): Promise<number> {
  const { text, body } = await browser.call('POST', entities[name].api.path, { body: form })
  const { data } = body as { data?: number }
  if (!data) throw new Error(`No ${name} was made: ${text}`)
  return data
}
