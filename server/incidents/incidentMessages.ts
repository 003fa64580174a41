import { eachAlarm, longestSettle, notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { ownerRolesIn } from '../auth/teams/teams.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import {
  groupOf,
  type Notifications,
  type OutgoingNotification,
  type PartNews,
} from '../notifications/notifications.ts'
import type { AcknowledgeLinks } from './acknowledgeLinks.ts'
import { type Incident, keyOf, type Notice, type Part, type SeenIncident } from './incident.ts'
import type { Incidents } from './incidents.ts'
import type { MessageTexts } from './messageTexts.ts'
import { type Flap, type Flapping, flapKey, type ToldGroup, type ToldGroups, type ToldPart } from './toldGroups.ts'

type Group = Row<typeof notificationGroup>
type News = OutgoingNotification & { about: PartNews }

/** Decides what notifier groups are told of incidents, and when. Other notifications are sent as they are. */
export interface IncidentMessages extends Pick<Notifications, 'send'> {
  /** Compares what was open before the start with what is. To be called once, when incidents know what lasts. */
  start(): void
  /** Tells what is due. To be called every second. */
  tick(): void
  /** Writes what is still in memory to the disk. */
  flush(): void
}

interface Services {
  store: Store
  incidents: Pick<Incidents, 'get' | 'find' | 'addNotice' | 'onChange' | 'onPartEnd' | 'flush'>
  notifications: Pick<Notifications, 'send' | 'save' | 'mergeIncident'>
  toldGroups: ToldGroups
  flapping: Flapping
  texts: MessageTexts
  /** How whoever gets a message by a notifier says that they are on it. */
  acknowledgeWays: AcknowledgeLinks['waysOf']
  /** What servers said of themselves when alarms began, as far as the owner of a group may know it. Default: nothing. */
  snapshots?: { isPending(alarmId: number): boolean; linesFor(group: Group, alarmId: number): readonly string[] }
  /** An incident as the owner of a group may see it. */
  seenBy: (group: Group, incident: Incident) => SeenIncident
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds between two messages about an incident that grows. */
export const digestMs = 600_000
/** Milliseconds for which a message waits at most for what is still asked of a server, where its group wants that. */
const snapshotWaitMs = 5000
/** Nothing is told later than this. */
const longestWaitMs = Math.max(digestMs, longestSettle * 1000)

/** The value in the store that says that a version with these messages has run. */
const startedKey = 'incident_messages'

export function createIncidentMessages(services: Services): IncidentMessages {
  const { store, incidents, notifications, toldGroups, flapping, texts, acknowledgeWays, snapshots, seenBy, log, now } =
    services
  const groups = entityTable(store, notificationGroup)
  const roleOf = ownerRolesIn(store)
  /** What has ended since the last look, by the key of its part. */
  const ending = new Map<string, readonly ToldGroup[]>()
  /** An older version has told what lasts, and has not written down whom. */
  const isAdopting = store.value(startedKey) === undefined

  /** The notifier groups that are told of a part. */
  function groupsOf(notification: OutgoingNotification): Group[] {
    const group = groupOf(notification, groups, roleOf)
    return group?.notifications?.length ? [group] : []
  }

  function settleMs({ parts }: ToldGroup, { messages, settle, snapshot }: Group): number {
    const ms = messages === eachAlarm ? 0 : settle * 1000
    const isAwaited = snapshot && parts.some((part) => !part.is_told && snapshots?.isPending(alarmIdOf(part)))
    return isAwaited ? Math.max(ms, snapshotWaitMs) : ms
  }
  const isOver = ({ parts }: ToldGroup) => parts.every(({ ended_at }) => ended_at !== null)
  const isCause = ({ key }: ToldPart) => incidents.find(key)?.part.role === 'cause'
  /** Whether nothing is told of a part by itself: it is because of something that is over, and may be over soon. */
  const isAftermath = ({ key }: ToldPart) => {
    const { incident, part } = incidents.find(key) ?? {}
    return part?.role === 'consequence' && !incident?.parts.some((one) => one.role === 'cause' && one.ended_at === null)
  }

  function rowOf(incident: Incident, group: Group): ToldGroup {
    const values = {
      incident_id: incident.id,
      group_id: group.id,
      due_at: null,
      told_at: null,
      parts: [],
      end_message: '',
    }
    if (group.messages === eachAlarm) return toldGroups.add(values)
    return toldGroups.of(incident.id, group.id) ?? toldGroups.add(values)
  }

  function begin({ about, message }: News, group: Group): void {
    const key = keyOf(about)
    const found = incidents.find(key)
    if (!found) return
    const { incident, part } = found
    const told = rowOf(incident, group)
    const isKnown = isAdopting && about.change === 'lasts'
    const { name, started_at, server_id, service_id } = part
    const isOpen = { ended_at: null, withdrawn: false, is_told: isKnown }
    told.parts = [...told.parts, { key, name, started_at, ...isOpen, message, server_id, service_id }]
    if (isKnown) told.told_at = now()
    plan(told, group)
    toldGroups.changed(told)
    if (told.due_at !== null && told.due_at <= now()) tell([told])
  }

  /** Sets when what is not told yet is told. */
  function plan(told: ToldGroup, group: Group): void {
    const isEach = group.messages === eachAlarm
    const settled = now() + settleMs(told, group)
    const lasting = told.parts.filter((part) => !part.is_told && part.ended_at === null)
    const isNews = told.told_at === null ? isEach || !lasting.every(isAftermath) : lasting.some(isCause)
    if (told.due_at !== null || !isNews) return
    told.due_at = told.told_at === null ? settled : Math.max(settled, told.told_at + digestMs)
    toldGroups.changed(told)
  }

  function repeat(told: ToldGroup, { message, repeatKey, serverId }: News): void {
    const incident = incidents.get(told.incident_id)
    // Somebody is on it.
    if (repeatKey === undefined || told.told_at === null || incident?.state === 'acknowledged') return
    send(told, 'repeated', (seen) => texts.lasts(told, seen, message), { serverId, repeatKey: repeatKeyOf(told) })
  }

  function end({ about, message }: News): void {
    const rows = ending.get(keyOf(about)) ?? []
    for (const told of rows) told.end_message = message
    tell(rows.filter((told) => toldGroups.has(told) && told.told_at !== null && isOver(told)))
  }

  /**
   * Notes that something has begun or ended.
   * @returns whether it changes too often for the group to be told of it
   */
  function isFlapping({ about }: News, group: Group): boolean {
    if (group.messages === eachAlarm) return false
    const key = flapKey(group.id, about.subject)
    if (about.change === 'lasts') return flapping.isActive(key)
    const found = incidents.find(keyOf(about))
    const begun = found && { name: found.part.name, incident_id: found.incident.id, part_key: keyOf(about) }
    const flap = flapping.note(key, group.id, begun)
    if (!flap?.is_new) return flap !== undefined && flapping.isActive(key)
    sendFlap(flap, 'flapping', texts.flapping)
    return true
  }

  /** Drops what would tell groups that something has ended of which they are not told any more. */
  function dropEnding({ about }: News, group: Group): void {
    for (const told of ending.get(keyOf(about)) ?? []) {
      if (told.group_id === group.id && told.told_at !== null && isOver(told)) toldGroups.remove(told)
    }
  }

  /** Tells how what was flapping ended, once it is quiet. */
  function tellQuiet(): void {
    for (const flap of flapping.takeQuiet()) {
      const found = incidents.find(flap.part_key)
      sendFlap(flap, found ? 'opened' : 'resolved', found ? texts.steady : texts.quiet)
      const group = groups.get(flap.group_id)
      if (!found || !group) continue
      const { name, started_at, server_id, service_id } = found.part
      const told = rowOf(found.incident, group)
      const isOpen = { ended_at: null, withdrawn: false, is_told: true, message: '' }
      told.parts = [...told.parts, { key: flap.part_key, name, started_at, ...isOpen, server_id, service_id }]
      told.told_at ??= now()
      toldGroups.changed(told)
    }
  }

  function sendFlap(flap: Flap, kind: Notice['kind'], textOf: (flap: Flap) => string): void {
    const group = groups.get(flap.group_id)
    const incident = incidents.get(flap.incident_id)
    if (!group) return
    notifications.send({ groupId: group.id, incidentId: incident?.id, message: textOf(flap) })
    if (!incident) return
    incidents.addNotice(incident, {
      kind,
      notification_group_id: group.id,
      notification_group_name: group.name,
      message: flap.name,
    })
  }

  incidents.onPartEnd(({ part }) => {
    const key = keyOf(part)
    const rows = toldGroups.withPart(key)
    for (const told of rows) endPart(told, part)
    if (rows.length > 0) ending.set(key, rows)
  })

  function endPart(told: ToldGroup, { ended_at, withdrawn, ...ended }: Part): void {
    const key = keyOf(ended)
    const isHeld = told.told_at === null && told.due_at === null
    told.parts = told.parts.map((part) => (part.key === key ? { ...part, ended_at, withdrawn } : part))
    if (told.told_at !== null && isOver(told)) told.due_at = now()
    toldGroups.changed(told)
    // Nobody would have been told of it.
    if (isHeld) told.parts = told.parts.filter((part) => part.key !== key)
    if (told.parts.length === 0) toldGroups.remove(told)
  }

  incidents.onChange(({ incident: from, into }) => {
    if (!into) return
    notifications.mergeIncident(from.id, into.id)
    for (const told of [...toldGroups.all()]) {
      if (told.incident_id !== from.id) continue
      const group = groups.get(told.group_id)
      const other = group?.messages === eachAlarm ? undefined : toldGroups.of(into.id, told.group_id)
      told.incident_id = into.id
      if (other) join(told, other)
      else toldGroups.changed(told)
    }
  })

  function join(told: ToldGroup, into: ToldGroup): void {
    const times = [told.told_at, into.told_at].filter((time) => time !== null)
    const dues = [told.due_at, into.due_at].filter((time) => time !== null)
    into.parts = [...into.parts, ...told.parts]
    into.told_at = times.length > 0 ? Math.max(...times) : null
    into.due_at = into.told_at === null && dues.length > 0 ? Math.min(...dues) : null
    toldGroups.remove(told)
    const group = groups.get(into.group_id)
    if (group) plan(into, group)
  }

  /** Tells at once, in one transaction: after the next start it is known what was sent. */
  function tell(rows: readonly ToldGroup[]): void {
    if (rows.length === 0) return
    try {
      incidents.flush()
      store.transaction(() => {
        for (const told of rows) tellOne(told)
        notifications.save()
        toldGroups.write()
      })
    } catch (error) {
      log.error('What was told of incidents could not be saved:', error)
    }
  }

  function tellOne(told: ToldGroup): void {
    if (isOver(told)) {
      tellEnd(told)
      return
    }
    const isNew = told.told_at === null
    const news = told.parts.filter((part) => !part.is_told)
    const key = repeatKeyOf(told)
    // The first is sent in any case, and what repeats it after a pause.
    if (isNew)
      send(told, 'opened', (seen) => texts.began(told, seen, linesOf(told)), { resolvesKey: key, repeatKey: key })
    else if (news.length > 0) send(told, 'grew', (seen) => texts.grew(news, seen), {})
    told.due_at = null
    told.told_at = now()
    told.parts = told.parts.map((part) => ({ ...part, is_told: true, message: '' }))
    toldGroups.changed(told)
  }

  /** What its server said of itself, if it is about one only. */
  function linesOf({ group_id, parts }: ToldGroup): readonly string[] {
    const group = groups.get(group_id)
    const [first, ...others] = parts.filter((part) => alarmIdOf(part) > 0)
    if (!group?.snapshot || !first || others.some(({ server_id }) => server_id !== first.server_id)) return []
    return snapshots?.linesFor(group, alarmIdOf(first)) ?? []
  }

  function tellEnd(told: ToldGroup): void {
    toldGroups.remove(told)
    if (told.told_at !== null) {
      send(told, 'resolved', (seen) => texts.ended(told, seen), { resolvesKey: repeatKeyOf(told) })
    } else if (!told.parts.every(({ withdrawn }) => withdrawn)) {
      // What was withdrawn before anybody was told is of no use to anybody.
      send(told, 'opened', (seen) => texts.began(told, seen, linesOf(told)), {})
    }
  }

  function send(
    told: ToldGroup,
    kind: Notice['kind'],
    textOf: (seen: SeenIncident) => string,
    keys: Pick<OutgoingNotification, 'repeatKey' | 'resolvesKey' | 'serverId'>,
  ): void {
    const group = groups.get(told.group_id)
    const incident = incidents.get(told.incident_id)
    if (!group || !incident) return
    const [first, ...others] = told.parts
    const only = others.length === 0 ? first : undefined
    const seen = seenBy(group, incident)
    notifications.send({
      groupId: group.id,
      serverId: first?.server_id || undefined,
      serviceId: only?.service_id || undefined,
      incidentId: incident.id,
      message: textOf(seen),
      ...(incident.state === 'open' && { acknowledge: (id) => acknowledgeWays(incident, id) }),
      ...keys,
      onSent: () =>
        incidents.addNotice(incident, {
          kind,
          notification_group_id: group.id,
          notification_group_name: group.name,
          message: only?.name ?? seen.title,
        }),
    })
  }

  function isDue(told: ToldGroup): boolean {
    // The clock was set back: nobody waits longer than this.
    return told.due_at !== null && (told.due_at <= now() || told.due_at > now() + longestWaitMs)
  }

  return {
    send(notification) {
      const { about } = notification
      if (!about) return notifications.send(notification)
      const news = { ...notification, about }
      const listening = groupsOf(notification).filter((group) => {
        const isSilent = isFlapping(news, group)
        if (isSilent) dropEnding(news, group)
        return !isSilent
      })
      if (about.change === 'ended') return end(news)
      const known = toldGroups.withPart(keyOf(about))
      for (const group of listening) {
        const told = known.find(({ group_id }) => group_id === group.id)
        if (!told) begin(news, group)
        else if (about.change === 'lasts') repeat(told, news)
      }
    },
    start() {
      store.setValue(startedKey, true)
      for (const told of [...toldGroups.all()]) {
        const incident = incidents.get(told.incident_id)
        if (!incident) toldGroups.remove(told)
        for (const part of incident ? told.parts : []) {
          if (part.ended_at !== null || incidents.find(part.key)) continue
          const ended = incident?.parts.find((one) => keyOf(one) === part.key)
          endPart(told, { ...(ended as Part), ended_at: ended?.ended_at ?? now() })
        }
      }
    },
    tick() {
      ending.clear()
      for (const told of toldGroups.all()) {
        const group = told.due_at === null ? groups.get(told.group_id) : undefined
        if (group && told.parts.some((part) => !part.is_told)) plan(told, group)
      }
      tell([...toldGroups.all()].filter(isDue))
      tellQuiet()
    },
    flush() {
      toldGroups.flush()
      flapping.flush()
    },
  }
}

/** The id of the alarm that a part is; 0 for anything else. */
const alarmIdOf = ({ key }: ToldPart) => Number(/^alarm (\d+)$/.exec(key)?.[1] ?? 0)

/** One for each thing of which a group is told: repeats of the same have growing pauses. */
const repeatKeyOf = ({ incident_id, group_id, parts }: ToldGroup) =>
  `incident ${incident_id} ${group_id} ${parts[0]?.key ?? ''}`
