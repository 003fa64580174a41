import type { RefusalCode, SkipCode } from '../../../src/domain/imports/importTexts.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ImportKind } from '../../../src/schemas/imports/importKinds.ts'

/** What does not come along, and why. */
export interface Skipped {
  /** The name of an entity here or, of what there is nothing like here, of the product's. */
  entity: string
  name: string
  code: SkipCode
  /** What stands in the sentence. */
  args?: Values
}

export interface ImportedUser {
  username: string
  /** A bcrypt hash; '' where it cannot be taken along. */
  password: string
  role: number
  rejectPassword: boolean
  /** With these, agents register as machines of this user. */
  agentSecrets: readonly string[]
}

/** A record of an entity, as the API has it, with the ids of the file. Fields that are left out get their defaults. */
export interface ImportedRecord {
  entity: string
  id: number
  name: string
  /** The name of its owner in the file. Default: whoever imports it */
  owner?: string
  values: Values
  /** What only the server writes otherwise, by column: set once the record is made, unless another one has it. */
  stored?: Readonly<Record<string, string>>
}

export interface ImportedServer extends ImportedRecord {
  entity: 'server'
  /** What its agent calls itself. */
  uuid: string
}

/** What a file of another product has for this server. */
export interface ImportData {
  kind: ImportKind
  /** As `Nezha 2`. */
  product: string
  users: readonly ImportedUser[]
  servers: readonly ImportedServer[]
  records: readonly ImportedRecord[]
  /** Settings of the site, as the API has them, with the ids of the file. */
  settings: Values
  /** Which account at an OAuth2 provider signs in which user. */
  bindings: readonly { username: string; provider: string; account: string }[]
  /** Addresses that an administrator blocked. */
  blocked: readonly string[]
  skipped: readonly Skipped[]
}

/** Results of checks of a service in the file. */
export interface CheckSum {
  series: 'checks' | 'days'
  service: number
  /** 0 in `days`, which are over all servers. */
  server: number
  /** Milliseconds since 1970. */
  at: number
  up: number
  down: number
  /** Milliseconds: the sum of the delays of those that were up. */
  delay: number
}

/** What a server measured at a time. */
export interface MetricsThen {
  series: 'metrics'
  server: number
  /** Milliseconds since 1970. */
  at: number
  /** By the names that reports have; what was not measured is missing. */
  state: Readonly<Record<string, number>>
  /** The highest, in degrees Celsius. */
  temperature?: number
}

/** What a file knows of the past. */
export type PastResult = CheckSum | MetricsThen

/** Where a file has too many records of a kind, the first ones come along. */
export const maxRecordsOfKind = 10_000

/** Why a file is refused as a whole. */
export class ImportRefusal extends Error {
  readonly code: RefusalCode
  readonly args: Readonly<Record<string, string>>

  constructor(code: RefusalCode, args: Readonly<Record<string, string>> = {}) {
    super(code)
    this.code = code
    this.args = args
  }
}
