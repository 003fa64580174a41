import { z } from 'zod'
import type { Areas, Rule, TokenScope } from './access.ts'
import type { Consequence, Effect } from './effects.ts'
import { bodyLimits } from './endpoint.ts'
import { moment } from './fields.ts'
import type { Values } from './values.ts'

export type WriteVerb = 'create' | 'update' | 'delete'
export type Verb = 'list' | WriteVerb

/** Deviations from the convention of the API (see `defineEntity`). */
export interface ApiOptions {
  /** First segment after `/api/v1/`. Default: the entity's name. */
  path?: string
  /** Path of the list when it is not `path`, as `service/list`. */
  listPath?: string
  /** `whole`: one GET gives all rows. `window`: the server pages by `offset` and `limit`. */
  paging?: 'whole' | 'window'
  /**
   * By what the embedded server filters a list that it pages: parameters of the query, all optional. `q` is the search;
   * a field with the name of a parameter is compared in the way of its kind, others need `pagedRows.filters`.
   */
  filters?: z.ZodObject
  /**
   * Only servers whose `GET /setting` lists this key under `wheelhouse` filter the list, where others have it, too. Default:
   * all that have the list.
   */
  filtersAnnounced?: string
  /** The writing calls that exist. Default: create, update and delete. */
  verbs?: readonly WriteVerb[]
  /** A codec between a row as the wire nests it and the flat record. The browser decodes, the server encodes. */
  row?: z.ZodType
  /** Changes a record before it is sent: adds the names that older servers have for renamed fields. */
  send?: (body: Values) => Values
  /** The field with the members, when the records are groups: pickers of what it refers to offer them. */
  members?: string
  /** The field whose values a batch call sends, when it is not the id. */
  batchKey?: string
  /** Bytes of a form that the embedded server reads; one of `bodyLimits`. Default: `bodyLimits.form`. */
  bodyLimit?: number
  /**
   * Whether Nezha servers before v2.0.8 show the list to members too, although it is for administrators. The console
   * asks them, and shows what they answer.
   */
  membersOfOldServers?: boolean
  /** Only servers whose `GET /setting` lists this key under `wheelhouse` have the entity; others are never asked for it. */
  announced?: string
  /**
   * The computed field by which a deleted record is recognized when it comes back by itself, where people do not create
   * records: "Undo" then gives it its fields and references again.
   */
  reappearsBy?: string
  /** What its writing calls can lead to (see `Endpoint.leadsTo`). */
  leadsTo?: Readonly<Partial<Record<WriteVerb, Effect>>>
}

type OptionalApi =
  | 'filters'
  | 'filtersAnnounced'
  | 'row'
  | 'send'
  | 'members'
  | 'batchKey'
  | 'membersOfOldServers'
  | 'announced'
  | 'reappearsBy'
  | 'leadsTo'

/** The three fields that every stored object carries (docs/contract/CONTRACT.md#2-envelope-and-status-codes). */
export const stamps = z.object({
  id: z.int(),
  created_at: moment().optional(),
  updated_at: moment().optional(),
})

export interface Entity<
  Name extends string = string,
  Form extends z.ZodObject = z.ZodObject,
  Computed extends z.ZodObject = z.ZodObject,
> {
  name: Name
  nameField: string
  form: Form
  computed: Computed
  id: string | readonly string[]
  /** See `EntityOptions`. */
  configuration: boolean
  access: Readonly<Record<Verb, Rule>>
  scopes: Readonly<Partial<Record<Verb, TokenScope>>>
  perMember?: number
  /** See `EntityOptions`. */
  whenNamed?: Consequence
  /** See `EntityOptions`. */
  destination?: DestinationOf
  api: Readonly<Required<Omit<ApiOptions, OptionalApi>> & Pick<ApiOptions, OptionalApi>>
}

/** Where the secrets of a record, or of a form, are sent. */
export interface Destination {
  /** A text that differs where the receiver does. */
  address: string
  /** Whether the receiver has to prove that it is the one of that address. Without it, anybody in between may get them. */
  isVerified?: boolean
}

/** @param values of a record or a form; servers hide some of them */
export type DestinationOf = (values: Values) => Destination

export interface EntityOptions<Name extends string, Form extends z.ZodObject, Computed extends z.ZodObject, Id> {
  /** URL segment, resource name, table name and translation key, in kebab-case. */
  name: Name
  /** The field that names a record in titles, references and confirmations. Default: `name`. */
  nameField?: string
  /** The fields that people edit, with all validation rules. */
  form: Form
  /** The fields that only the server writes: shown, never sent. `id`, `created_at` and `updated_at` are added. */
  computed?: Computed
  /** The key field, or the fields whose values make the key. Default `'id'`, a number. */
  id?: Id
  /** Verb to rule. Default: any signed-in person. */
  access?: Partial<Record<Verb, Rule>>
  /** Verb to what an API token needs for it. Default: tokens are refused. */
  scopes?: Partial<Record<Verb, TokenScope>>
  /**
   * Whether the configuration file has its records (docs/guides/configuration-file.md). Default: that of entities whose
   * records people change, and whose list is whole.
   */
  configuration?: false
  /** At most so many records for each member, whatever `records_per_member` in the site's settings says. */
  perMember?: number
  /** What it can lead to that a record of another entity names one of these: it is then run from there. */
  whenNamed?: Consequence
  /**
   * Where secrets of its records go. A save that leaves them out keeps them only while that stays the same, and is
   * verified as before: who may change a record must not get the secrets that somebody stored for another receiver.
   */
  destination?: DestinationOf
  /** Deviations from the convention. */
  api?: ApiOptions
}

/** Records whose key is `id` are stored ones, and have the three fields of `stamps`. */
type WithStamps<Computed extends z.ZodObject, Id> = z.ZodObject<
  Id extends 'id' ? typeof stamps.shape & Computed['shape'] : Computed['shape'],
  z.core.$loose
>

/**
 * Declares an entity: its fields, who may do what, and its address. Browser and server both derive from it.
 *
 * Without `api`, the convention holds: `GET /api/v1/<name>` gives the whole list, `POST /<name>` creates,
 * `PATCH /<name>/:id` replaces, `POST /batch-delete/<name>` takes a list of ids.
 *
 * @example
 * export const nat = defineEntity({ name: 'nat', form: z.object({ name: name(), server_id: ref('server') }) })
 */
export function defineEntity<
  const Name extends string,
  Form extends z.ZodObject,
  Computed extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const Id extends string | readonly string[] = 'id',
>(options: EntityOptions<Name, Form, Computed, Id>): Entity<Name, Form, WithStamps<Computed, Id>> {
  const { name, nameField = 'name', form, access, scopes = {}, perMember, destination, api } = options
  const id: string | readonly string[] = options.id ?? 'id'
  const added = options.computed?.shape ?? {}
  const computed = (id === 'id' ? z.looseObject({ ...stamps.shape, ...added }) : z.looseObject(added)) as WithStamps<
    Computed,
    Id
  >
  const verbs = api?.verbs ?? ['create', 'update', 'delete']
  const paging = api?.paging ?? 'whole'
  return {
    name,
    nameField,
    form,
    computed,
    id,
    configuration: options.configuration ?? (id === 'id' && paging === 'whole' && verbs.includes('update')),
    ...(perMember !== undefined && { perMember }),
    ...(options.whenNamed && { whenNamed: options.whenNamed }),
    ...(destination && { destination }),
    access: { list: 'user', create: 'user', update: 'user', delete: 'user', ...access },
    scopes,
    api: {
      path: api?.path ?? name,
      listPath: api?.listPath ?? api?.path ?? name,
      paging,
      filters: api?.filters,
      filtersAnnounced: api?.filtersAnnounced,
      verbs,
      row: api?.row,
      send: api?.send,
      members: api?.members,
      batchKey: api?.batchKey,
      bodyLimit: api?.bodyLimit ?? bodyLimits.form,
      membersOfOldServers: api?.membersOfOldServers,
      announced: api?.announced,
      reappearsBy: api?.reappearsBy,
      leadsTo: api?.leadsTo,
    },
  }
}

/** What a record is called: the value of its entity's `nameField`, or `#7`. */
export const recordName = ({ nameField }: Pick<Entity, 'nameField'>, record: Values): string =>
  String(record[nameField] || `#${record.id}`)

/** A field that a person can edit. */
export type FormField<E extends Entity> = Extract<keyof E['form']['shape'], string>

/** Any field of a record, edited or computed. */
export type FieldName<E extends Entity> = FormField<E> | Extract<keyof E['computed']['shape'], string>

/** A record as screens and handlers hold it: edited and computed fields together. */
export type RecordOf<E extends Entity> = z.output<E['form']> & z.output<E['computed']>

/**
 * Whether secrets of a stored record would go to another receiver with these values, or perhaps would, because their
 * address is itself one that servers hide. The embedded server does not keep them then (`wheelhouse.bound_secrets`).
 */
export const isSentElsewhere = (
  { destination }: Pick<Entity, 'destination'>,
  before: Values,
  values: Values,
): boolean => {
  if (!destination) return false
  const [from, to] = [destination(before), destination(values)]
  return from.address !== to.address || (from.isVerified === true && to.isVerified !== true)
}

/** The scopes of the verbs of an entity whose area has reading, writing and deleting. */
export const scopesOfArea = <Area extends Exclude<keyof Areas, 'inventory'>>(area: Area) =>
  ({
    list: `nezha:${area}:read`,
    create: `nezha:${area}:write`,
    update: `nezha:${area}:write`,
    delete: `nezha:${area}:delete`,
  }) as const

/** Scopes for the verbs of an entity that belongs to none of the areas. @param name the entity's */
export const ownScopes = <Name extends string>(name: Name) =>
  ({
    list: `wheelhouse:${name}:read`,
    create: `wheelhouse:${name}:write`,
    update: `wheelhouse:${name}:write`,
    delete: `wheelhouse:${name}:delete`,
  }) as const

/** The scopes of entities that are for administrators. */
export const scopesOfAdmin = {
  list: 'nezha:admin:*',
  create: 'nezha:admin:*',
  update: 'nezha:admin:*',
  delete: 'nezha:admin:*',
} as const
