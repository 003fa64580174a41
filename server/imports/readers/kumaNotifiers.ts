import { presets } from '../../../src/domain/notifierPresets/index.ts'
import type { PresetValues } from '../../../src/domain/notifierPresets/preset.ts'
import { limits } from '../../../src/schemas/define/fields.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import type { ImportedRecord, Skipped } from './importData.ts'
import { objectIn, pairs, readKind, recordName } from './readRows.ts'

/** The notifiers of a file, and a group for each set of them that a monitor has. */
export interface KumaNotifiers {
  records: readonly ImportedRecord[]
  /** The group whose notifiers a monitor has; 0 for none. */
  groupOf(monitor: number): number
}

export function kumaNotifiers(database: ForeignDatabase, skipped: Skipped[]): KumaNotifiers {
  const rows = database.rows('notification', ['id', 'name', 'config'], { order: 'id' })
  const notifiers = readKind(rows, 'notification', skipped, (row): ImportedRecord | undefined => {
    const id = row.integer('id')
    const name = recordName(row.text('name'), id)
    const config = objectIn(row.json('config')) ?? {}
    const request = requestOf(config)
    if (request) return { entity: 'notification', id, name, values: { ...request, verify_tls: true } }
    skipped.push({ entity: 'notification', name, code: 'kind_unknown', args: { kind: String(config.type ?? '') } })
    return undefined
  })
  const nameOf = new Map(notifiers.map(({ id, name }) => [id, name]))
  const groups = new Map<string, ImportedRecord>()
  const groupOfMonitor = new Map<number, number>()
  for (const [monitor, ids] of pairs(database, 'monitor_notification', 'monitor_id', 'notification_id')) {
    const known = ids.filter((id) => nameOf.has(id)).sort((a, b) => a - b)
    if (known.length === 0) continue
    const name = known
      .map((id) => nameOf.get(id))
      .join(', ')
      .slice(0, limits.name)
    const key = known.join()
    const group = groups.get(key) ?? {
      entity: 'notification-group',
      id: groups.size + 1,
      name,
      values: { notifications: known },
    }
    groups.set(key, group)
    groupOfMonitor.set(monitor, group.id)
  }
  return { records: [...notifiers, ...groups.values()], groupOf: (monitor) => groupOfMonitor.get(monitor) ?? 0 }
}

/** The answers to the questions of a preset, by the product's words for the kind and its settings. */
const answersByType: Readonly<Record<string, { preset: string; answers: Readonly<Record<string, string>> }>> = {
  telegram: { preset: 'telegram', answers: { token: 'telegramBotToken', chat: 'telegramChatID' } },
  discord: { preset: 'discord', answers: { url: 'discordWebhookUrl' } },
  slack: { preset: 'slack', answers: { url: 'slackwebhookURL' } },
  teams: { preset: 'teams', answers: { url: 'webhookUrl' } },
  mattermost: { preset: 'mattermost', answers: { url: 'mattermostWebhookUrl' } },
  matrix: { preset: 'matrix', answers: { server: 'homeserverUrl', room: 'internalRoomId', token: 'accessToken' } },
  ntfy: { preset: 'ntfy', answers: { server: 'ntfyserverurl', topic: 'ntfytopic', token: 'ntfyaccesstoken' } },
  gotify: { preset: 'gotify', answers: { server: 'gotifyserverurl', token: 'gotifyapplicationToken' } },
  pushover: { preset: 'pushover', answers: { token: 'pushoverapptoken', user: 'pushoveruserkey' } },
  webhook: { preset: 'webhook', answers: { url: 'webhookURL' } },
  smtp: {
    preset: 'mail',
    answers: { host: 'smtpHost', port: 'smtpPort', user: 'smtpUsername', password: 'smtpPassword', to: 'smtpTo' },
  },
}

/** Settings without which a notifier would do something else than it did. */
const unsupported = ['ntfyusername', 'webhookCustomBody', 'smtpDkimDomain']

/** @returns `undefined` for a kind without a preset, and where an answer is missing */
function requestOf(config: Values): PresetValues | undefined {
  const { preset: id, answers: names } = answersByType[String(config.type)] ?? {}
  const preset = presets.find((one) => one.id === id)
  if (!preset || !names || unsupported.some((name) => config[name])) return undefined
  const given = Object.entries(names).map(([question, name]) => [question, String(config[name] ?? '')] as const)
  const answers: Record<string, string> = Object.fromEntries(given)
  if (id === 'mail') answers.from = addressIn(String(config.smtpFrom ?? ''))
  for (const [question, { answer }] of Object.entries(preset.questions)) {
    // Numbers stand in the address as they are written.
    const isNumber = question === 'port'
    if (!answer.safeParse(isNumber ? Number(answers[question]) : answers[question]).success) return undefined
  }
  const request = preset.fill(answers)
  const beginsWithTls = id === 'mail' && config.smtpSecure === true
  return beginsWithTls ? { ...request, url: request.url.replace(/^smtps?:/, 'smtps:') } : request
}

/** `"Kuma" <kuma@example.org>` without the name. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
