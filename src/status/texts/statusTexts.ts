import type { StatusIncident } from '../../schemas/status/publicStatus.ts'

/** A text that depends on a number. Of the five languages none needs more forms. */
export interface Plural {
  one: string
  other: string
}

/** All texts of the status page in one language. `{{name}}` stands for a value. */
export interface StatusTexts {
  /** The title of a site without a name. */
  site: string
  signIn: string
  /** The sentence about the overall status. */
  allUp: string
  nothingShown: string
  servicesDown: Plural
  servicesDownSince: Plural
  serversOffline: Plural
  /** Headings. */
  services: string
  servers: string
  incidents: string
  feed: string
  maintenance: string
  /** States. */
  up: string
  down: string
  notChecked: string
  online: string
  offline: string
  maintenanceUntil: string
  downSince: string
  /** Availability. */
  lastDays: string
  availability: string
  dayAvailability: string
  dayWithoutChecks: string
  today: string
  latency: string
  /** The list of servers. */
  search: string
  group: string
  allGroups: string
  ungrouped: string
  view: string
  cards: string
  table: string
  noMatch: string
  showMore: string
  andMore: string
  server: string
  state: string
  cpu: string
  memory: string
  disk: string
  load: string
  network: string
  traffic: string
  received: string
  sent: string
  uptime: string
  country: string
  system: string
  processor: string
  /** What a public note says. */
  price: string
  cycles: { Day: string; Week: string; Month: string; Year: string }
  starts: string
  expires: string
  neverExpires: string
  renewsItself: string
  bandwidth: string
  trafficVolume: string
  trafficTypes: { '1': string; '2': string }
  networkRoute: string
  plan: string
  /** Incidents. */
  noIncidents: string
  serviceIsDown: string
  serverIsOffline: string
  serviceDown: string
  serverOffline: string
  lasts: string
  lasted: string
  causes: Record<'timeout' | 'refused' | 'name' | 'unreachable' | 'certificate' | 'status', string>
  /** The page of a server. */
  notFound: string
  allServers: string
  lastDay: string
  noData: string
  notLoaded: string
  /** Around it all. */
  language: string
  theme: string
  light: string
  dark: string
  likeSystem: string
  stale: string
  needsScript: string
}

/** What an incident says: `Shop was down`. */
export function incidentSentence({ kind, name, ended_at }: NamedIncident, texts: StatusTexts): string {
  const [lasting, past] =
    kind === 'service_down' ? [texts.serviceIsDown, texts.serviceDown] : [texts.serverIsOffline, texts.serverOffline]
  return fill(ended_at === undefined ? lasting : past, { name })
}

type NamedIncident = Pick<StatusIncident, 'kind' | 'name' | 'ended_at'>

/** A text with its values in place. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(values[name] ?? ''))

/** The form of a text for a number, with `{{count}}` and other values in place. */
export function fillPlural(text: Plural, count: number, locale: string, values: Readonly<Record<string, string>> = {}) {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? text.one : text.other
  return fill(form, { ...values, count: new Intl.NumberFormat(locale).format(count) })
}
