import { discord, gotify, ntfy, telegram } from '../../../src/domain/notifierPresets/index.ts'
import { mail } from '../../../src/domain/notifierPresets/mail.ts'
import type { PresetValues } from '../../../src/domain/notifierPresets/preset.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import type { ImportedRecord, ImportedUser, Skipped } from './importData.ts'
import { objectIn, textsIn } from './readRows.ts'

/** The notifiers of people, and a group for each of them. */
export interface BeszelNotifiers {
  records: readonly ImportedRecord[]
  /** The group of somebody; 0 for none. @param user the id in the file */
  groupOf(user: string): number
}

export function beszelNotifiers(
  database: ForeignDatabase,
  people: ReadonlyMap<string, ImportedUser>,
  skipped: Skipped[],
): BeszelNotifiers {
  const mailServer = readMailServer(database)
  const notifiers: ImportedRecord[] = []
  const groups = new Map<string, ImportedRecord>()
  for (const row of database.rows('user_settings', ['user', 'settings'])) {
    const settings = objectIn(row.json('settings')) ?? {}
    const owner = people.get(row.text('user'))?.username
    const own: number[] = []
    const add = (name: string, request: PresetValues) => {
      const id = notifiers.length + 1
      notifiers.push({ entity: 'notification', id, name, owner, values: { ...request, verify_tls: true } })
      own.push(id)
    }
    const addresses = textsIn(settings.emails)
    if (addresses.length > 0 && mailServer)
      add(`mail ${addresses[0]}`, mail.fill({ ...mailServer, to: addresses.join(',') }))
    else if (addresses.length > 0)
      skipped.push({ entity: 'notification', name: addresses.join(', '), code: 'no_mail_server' })
    for (const address of textsIn(settings.webhooks)) {
      const kind = /^[a-z+]+(?=:)/i.exec(address)?.[0] ?? ''
      const request = requestOf(address)
      if (request) add(kind, request)
      else skipped.push({ entity: 'notification', name: kind, code: 'kind_unknown', args: { kind } })
    }
    if (own.length === 0) continue
    const id = groups.size + 1
    const values = { notifications: own }
    groups.set(row.text('user'), { entity: 'notification-group', id, name: owner ?? `#${id}`, owner, values })
  }
  return { records: [...notifiers, ...groups.values()], groupOf: (user) => groups.get(user)?.id ?? 0 }
}

type MailServer = Readonly<Record<'host' | 'port' | 'user' | 'password' | 'from', string>>

/** The mail server of its settings, if one is switched on. */
function readMailServer(database: ForeignDatabase): MailServer | undefined {
  const row = [...database.rows('_params', ['id', 'value'])].find((one) => one.text('id') === 'settings')
  const { smtp, meta } = objectIn(row?.json('value')) ?? {}
  const server: Values = objectIn(smtp) ?? {}
  const from = objectIn(meta)?.senderAddress
  if (server.enabled !== true || typeof server.host !== 'string' || server.host === '') return undefined
  return {
    host: server.host,
    port: String(server.port ?? ''),
    user: String(server.username ?? ''),
    password: String(server.password ?? ''),
    from: String(from ?? ''),
  }
}

/** A notifier of the address that the library shoutrrr has for it; `undefined` for kinds that are not known here. */
function requestOf(address: string): PresetValues | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, host, username, password, pathname, searchParams } = new URL(address)
  const path = pathname.replace(/^\/+/, '')
  switch (protocol) {
    case 'discord:':
      return discord.fill({ url: `https://discord.com/api/webhooks/${hostname}/${username}` })
    case 'telegram:': {
      // A token has a colon in it.
      const token = password === '' ? username : `${username}:${password}`
      const [chat] = (searchParams.get('chats') ?? '').split(',')
      return chat ? telegram.fill({ token: decodeURIComponent(token), chat }) : undefined
    }
    case 'ntfy:':
      return username === '' && path !== '' ? ntfy.fill({ server: `https://${host}`, topic: path }) : undefined
    case 'gotify:':
      return path === '' ? undefined : gotify.fill({ server: `https://${host}`, token: path })
    default:
      return undefined
  }
}
