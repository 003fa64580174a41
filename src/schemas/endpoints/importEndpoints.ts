import { z } from 'zod'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { limits } from '../define/fields.ts'
import { keysOf } from '../define/values.ts'
import { importKinds, maxImportBytes, maxSettingsLength } from '../imports/importKinds.ts'

const kinds = z.enum(keysOf(importKinds))
const scopes = ['nezha:admin:*'] as const
const args = z.record(z.string(), z.unknown()).default({})

/** What becomes of one record, with names in place of ids; secrets are `kept`, whatever they are. */
const change = z.object({
  verb: z.enum(['create', 'update']),
  entity: z.string(),
  name: z.string(),
  fields: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown() })).default([]),
})

/** What an import would do. */
const importPlan = z.object({
  /** As `Nezha 2`. */
  product: z.string(),
  /** Stands for this plan: only what somebody has seen is carried out. */
  digest: z.string(),
  changes: z.array(change).default([]),
  /** How many records are here already as the file has them. */
  unchanged: z.int().default(0),
  /** What does not come along; `code` and `args` are its sentence. */
  skipped: z.array(z.object({ entity: z.string(), name: z.string(), code: z.string(), args })).default([]),
})

/** An import that was made. */
const madeImport = z.object({
  id: z.int(),
  /** RFC 3339. */
  at: z.string(),
  kind: z.string(),
  product: z.string(),
  /** The name of the file. */
  file: z.string(),
  /** Who made it, by the name of that time; '' for a command. */
  username: z.string().default(''),
  created: z.int().default(0),
  updated: z.int().default(0),
  /** RFC 3339; absent while it was not undone. */
  undone_at: z.string().optional(),
})

/** Importing the data of other products. Only where `GET /setting` says `wheelhouse.imports`. */
export const importEndpoints = {
  /** Begins the upload of a file. It is deleted when it is not used for an hour. */
  startImportFile: endpoint('POST', 'wheelhouse/import-files', {
    scopes,
    access: 'admin',
    body: z.object({ bytes: z.int().min(1).max(maxImportBytes) }),
    reply: z.object({ file: z.string() }),
  }),
  /** The next part of a file, as bytes: `offset` is how many came before. */
  addImportPart: endpoint('POST', 'wheelhouse/import-files/:file/parts', {
    scopes,
    access: 'admin',
    query: z.object({ offset: z.int().min(0) }),
    bodyLimit: bodyLimits.importPart,
  }),
  dropImportFile: endpoint('DELETE', 'wheelhouse/import-files/:file', { scopes, access: 'admin' }),
  /** Reads an uploaded file, and says what an import of it would do. */
  planImport: endpoint('POST', 'wheelhouse/import-files/:file/plan', {
    scopes,
    access: 'admin',
    body: z.object({
      kind: kinds,
      /** The text of the product's settings file. */
      settings: z.string().max(maxSettingsLength).default(''),
    }),
    bodyLimit: bodyLimits.largeForm,
    reply: z.object({
      plan: importPlan.optional(),
      /** Why the file is none of this product. */
      refusal: z.object({ code: z.string(), args }).optional(),
    }),
  }),
  /** Carries out the last plan of a file, all of it or nothing. */
  applyImport: endpoint('POST', 'wheelhouse/imports', {
    makesRecord: true,
    scopes,
    access: 'admin',
    // What it makes are ways to sign in, too.
    leadsTo: 'credential',
    body: z.object({
      file: z.string().max(limits.shortText),
      /** The name of the file, for the list of imports. */
      name: z.string().max(limits.shortText).default(''),
      digest: z.string().max(limits.shortText),
    }),
    reply: madeImport,
  }),
  /** The last 20, the latest first. */
  imports: endpoint('GET', 'wheelhouse/imports', { scopes, access: 'admin', reply: z.array(madeImport).default([]) }),
  /**
   * Takes an import back: what it made is deleted, and what it changed is as before. What somebody has changed since
   * stays, and is named.
   */
  undoImport: endpoint('POST', 'wheelhouse/imports/:id/undo', {
    scopes,
    access: 'admin',
    leadsTo: 'access',
    reply: z.object({ kept: z.array(z.object({ entity: z.string(), name: z.string() })).default([]) }),
  }),
} as const

export type ImportPlanReply = z.output<typeof importPlan>
export type ImportChange = z.output<typeof change>
export type MadeImport = z.output<typeof madeImport>
