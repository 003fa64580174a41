import type { Values } from '../../src/schemas/define/values.ts'
import { siteSetting, usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { recordSettings } from '../changes/changeLog.ts'
import type { Store } from '../db/store.ts'
import { isAdmin, type Person } from '../person.ts'

/** The settings that people change in the console, by the names of the wire (docs/contract/CONTRACT.md#52-settings). */
export interface Site {
  language: string
  site_name: string
  custom_code?: string
  custom_code_dashboard?: string
  oauth2_providers?: string[]
  install_host?: string
  tls?: boolean
  ip_change_notification_group_id: number
  cover: number
  user_template: string
  admin_template: string
  web_real_ip_header: string
  agent_real_ip_header?: string
  /** How many records of each entity a member may have. */
  records_per_member: number
  require_second_factor: boolean
  /** 0: never. */
  reauthentication_minutes: number
  reauthentication_everybody: boolean
  /** What checks of services say who they are. */
  check_user_agent: string
  /** 1: the address of the sign-in, 2: the network around it, 3: everywhere. */
  session_binding: number
  hide_password_form: boolean
  /** How long a terminal is held whose browser has gone; 0: not at all. */
  terminal_hold_minutes: number
  /** 1: no terminal is recorded, 2: those whose owner wants it, 3: all. */
  terminal_recording: number
  /** Ids of servers, `1,2`: their terminals are recorded in any case. */
  recorded_servers?: string
  recording_days: number
  /** Minutes between two questions to a machine about what alert rules watch. */
  inspect_minutes: number
  [key: string]: unknown
}

const storeKey = 'setting'

const defaults: Site = {
  language: 'en-US',
  // Empty, so that every console shows the generic title in its own language.
  site_name: '',
  ip_change_notification_group_id: 0,
  cover: 1,
  user_template: 'user-dist',
  admin_template: 'admin-dist',
  web_real_ip_header: usePeerAddress,
  records_per_member: 1_000,
  require_second_factor: false,
  reauthentication_minutes: 15,
  reauthentication_everybody: false,
  check_user_agent: '',
  session_binding: 2,
  hide_password_form: false,
  terminal_hold_minutes: 10,
  terminal_recording: 1,
  recording_days: 30,
  inspect_minutes: 5,
}

const unset = {}
const sites = new WeakMap<object, Readonly<Site>>()

/** The same object until the settings are written: every request needs them, and they may have a megabyte of code. */
export function readSite(store: Pick<Store, 'value'>): Readonly<Site> {
  const stored = store.value<Partial<Site>>(storeKey) ?? unset
  const site = sites.get(stored) ?? { ...defaults, ...stored }
  sites.set(stored, site)
  return site
}

/** @param site complete: what is left out falls back to its default */
export function writeSite(store: Store, site: Partial<Site>): void {
  store.transaction(() => {
    const before = readSite(store)
    store.setValue(storeKey, site)
    recordSettings(store, siteSetting, before, readSite(store))
  })
  for (const listener of [...(listeners.get(store) ?? [])]) listener()
}

const listeners = new WeakMap<Store, Set<() => void>>()

/** Calls `listener` after each change of the settings, until the returned function is called. */
export function onSiteChange(store: Store, listener: () => void): () => void {
  const ofStore = listeners.get(store) ?? new Set()
  listeners.set(store, ofStore.add(listener))
  return () => void ofStore.delete(listener)
}

/** `1,2,x` as `{ 1: true, 2: true }`: what is stored of `ignored_ip_notification` beside the text. */
export function idsInText(text: string): Record<string, true> | undefined {
  const ids = text.split(',').flatMap((part) => (/^\s*\d+\s*$/.test(part) ? [Number(part)] : []))
  return ids.length === 0 ? undefined : Object.fromEntries(ids.map((id) => [id, true]))
}

const publicKeys = [
  'language',
  'site_name',
  'custom_code',
  'custom_code_dashboard',
  'oauth2_providers',
  'hide_password_form',
]
const signedInKeys = [...publicKeys, 'install_host', 'tls']

/** The settings that a person may see; for others than administrators the two numbers are 0. */
export function visibleConfig(site: Site, person: Person | undefined): Values {
  const isShown = (name: string) => isAdmin(person) || (person ? signedInKeys : publicKeys).includes(name)
  const shown = Object.entries(site).filter(
    ([name, value]) => isShown(name) && (isAlwaysThere(name) || !isEmpty(value)),
  )
  const hiddenNumbers = isAdmin(person) ? {} : { ip_change_notification_group_id: 0, cover: 0 }
  return { ...Object.fromEntries(shown), ...hiddenNumbers }
}

const isAlwaysThere = (name: string) =>
  [
    'language',
    'site_name',
    'ip_change_notification_group_id',
    'cover',
    'reauthentication_minutes',
    'terminal_hold_minutes',
  ].includes(name)

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || value === 0 || value === false || isEmptyList(value)

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
