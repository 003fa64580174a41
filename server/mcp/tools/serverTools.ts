import type { ResidentTable } from '../../db/table.ts'
import type { ServerRow } from '../../entities/entityTable.ts'
import type { Machines } from '../../machines/machines.ts'
import { byDisplayIndex, type ServerAccess, withoutOwnersFields } from '../../machines/serverHooks.ts'
import { isAdmin, may } from '../../person.ts'
import { withoutEmpty } from '../../wire/apiCall.ts'
import {
  anyObject,
  argument,
  array,
  defineTool,
  flag,
  integer,
  moment,
  object,
  serverTool,
  type Tool,
  text,
} from './tool.ts'

export interface ServerToolServices {
  servers: ResidentTable<ServerRow>
  machines: Machines
  access: ServerAccess
}

/** The monitored servers as a list, and one of them in full. Servers that others share are there too, without notes. */
export function serverTools({ servers, machines, access }: ServerToolServices): Tool[] {
  function summaryOf(row: ServerRow, isOwn: boolean) {
    const { host, geoip, last_active } = machines.wireReport(row)
    const { platform, arch } = host
    const { ipv4_addr: ipv4, ipv6_addr: ipv6 } = geoip.ip
    const uuid = isOwn ? row.uuid : ''
    return {
      id: row.id,
      name: row.name,
      ...withoutEmpty({ uuid, ipv4, ipv6 }),
      online: machines.connected(row) !== undefined,
      ...withoutEmpty({ platform, arch }),
      last_active,
    }
  }

  const list = defineTool({
    name: 'server.list',
    description: 'Lists the servers that the token may see, in the order of the console.',
    scope: 'nezha:inventory:read',
    input: { online_only: argument.flag },
    outputSchema: object(
      {
        servers: array(
          object(
            {
              arch: text,
              id: integer,
              ipv4: text,
              ipv6: text,
              last_active: moment,
              name: text,
              online: flag,
              platform: text,
              uuid: text,
            },
            ['id', 'name', 'online'],
          ),
        ),
        count: integer,
      },
      ['servers', 'count'],
    ),
    run({ online_only }, { caller: { person } }) {
      const visible = servers.all().filter((row) => access.isListed(person, row))
      const rows = visible.sort(byDisplayIndex).map((row) => summaryOf(row, may(person, 'secrets', row, [row.id])))
      const shown = online_only ? rows.filter(({ online }) => online) : rows
      return { servers: shown, count: shown.length }
    },
  })

  const get = serverTool(servers, {
    name: 'server.get',
    description: 'Shows one server in full: its hardware, its last metrics, its addresses and its notes.',
    scope: 'nezha:server:read',
    input: {},
    outputSchema: object(
      {
        geoip: anyObject,
        host: anyObject,
        id: integer,
        last_active: moment,
        name: text,
        note: text,
        public_note: text,
        state: anyObject,
        uuid: text,
      },
      ['id'],
    ),
    mayUse: ({ caller }, row) => access.isListed(caller.person, row),
    run(_args, { row, caller: { person } }) {
      const { host, state, geoip, last_active } = machines.wireReport(row)
      const { id, name, uuid, note = '', public_note = '' } = row
      const whole = { id, name, uuid, note, public_note, host, state, geoip, last_active }
      return may(person, 'secrets', row, [id]) ? whole : withoutOwnersFields(whole)
    },
  })
  return [list, get]
}

/** Whose token it is, and what it may do. */
export const whoami: Tool = defineTool({
  name: 'meta.whoami',
  description: 'Shows whose token this is, its scopes, and the servers that it is limited to, if it is.',
  input: {},
  outputSchema: object(
    {
      user_id: integer,
      is_admin: { type: 'boolean' },
      token_id: integer,
      token_name: text,
      scopes: array(text),
      server_ids: array(integer),
    },
    ['user_id', 'is_admin', 'token_id', 'scopes'],
  ),
  run: (_args, { caller: { person } }) => ({
    user_id: person.id,
    is_admin: isAdmin({ ...person, token: undefined }),
    token_id: person.token.id,
    token_name: person.token.name,
    scopes: person.token.scopes,
    ...(person.token.servers && { server_ids: [...person.token.servers] }),
  }),
})
