import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'
import { shareModes } from '../frames/terminal.ts'
import { endpoints } from './index.ts'

/** An open terminal of the caller, or of anybody for administrators. */
const heldTerminal = z.looseObject({
  /** As the audit log names it; the id of its socket is not told. */
  id: z.string(),
  server_id: z.int(),
  server_name: z.string(),
  /** Who opened it. */
  username: z.string(),
  /** Whether that was the caller: administrators see those of everybody. */
  is_own: z.boolean().default(false),
  opened_at: moment(),
  /** When somebody typed in it last. */
  used_at: moment(),
  /** When it ends, unless a browser shows it again; absent while one does. */
  held_until: moment().optional(),
})
export type HeldTerminal = z.output<typeof heldTerminal>

const common = { scopes: ['nezha:server:exec'], keepsToServers: true } as const
const asciicast = ['application/x-asciicast']

/** A recorded terminal. */
const recording = z.looseObject({
  id: z.string(),
  server_id: z.int(),
  server_name: z.string().default(''),
  /** Who opened the terminal. */
  username: z.string().default(''),
  began_at: moment(),
  seconds: z.number().default(0),
  bytes: z.int().default(0),
  /** Whether it is still being recorded. */
  is_running: z.boolean().default(false),
  /** Whether the caller may: administrators may, and who made it by the button in their own terminal. */
  may_delete: z.boolean().default(false),
})
export type Recording = z.output<typeof recording>

/** Characters of the name and of the text of a shared snippet, and how many there may be. */
export const snippetLimits = { name: 100, text: 4000, count: 200, parameters: 20 } as const

/** Characters that are typed into a terminal at once: a snippet with all its values fits. */
const typedCharacters = 32_000

const sharedSnippet = z.looseObject({ id: z.int(), name: z.string(), text: z.string() })
export type SharedSnippet = z.output<typeof sharedSnippet>

const snippetForm = z.object({
  /** The one that is changed; absent for a new one. */
  id: z.int().optional(),
  name: z.string().trim().min(1).max(snippetLimits.name),
  text: z.string().min(1).max(snippetLimits.text),
})

/** Open terminals: only where `GET /setting` says `wheelhouse.terminal_hold`. */
export const terminalEndpoints = {
  heldTerminals: endpoint('GET', 'wheelhouse/terminals', { ...common, reply: z.array(heldTerminal).default([]) }),
  /** Gives what it takes to show it in another browser; the one that shows it now is told. */
  attachTerminal: endpoint('POST', 'wheelhouse/terminals/:session/attach', {
    ...common,
    reply: endpoints.openTerminal.reply,
    leadsTo: 'command',
  }),
  endTerminal: endpoint('POST', 'wheelhouse/terminals/:session/end', common),
  /** Shares it by a link, or changes what its guests may do. */
  shareTerminal: endpoint('POST', 'wheelhouse/terminals/:session/share', {
    ...common,
    body: z.object({ mode: z.enum(shareModes) }),
    /** What stands in the link. */
    reply: z.looseObject({ code: z.string() }),
    leadsTo: 'command',
  }),
  unshareTerminal: endpoint('POST', 'wheelhouse/terminals/:session/unshare', common),
  /** For who has the link, and may use the server: gives the id of a socket, `ws/shared-terminal/:id`. */
  joinTerminal: endpoint('POST', 'wheelhouse/shared-terminals/:code/join', {
    ...common,
    reply: z.looseObject({
      session_id: z.string(),
      server_id: z.int(),
      server_name: z.string().default(''),
      username: z.string().default(''),
    }),
    leadsTo: 'command',
  }),
  /** Begins or ends to record what it prints, where the settings leave that to the owner. */
  recordTerminal: endpoint('POST', 'wheelhouse/terminals/:session/record', {
    ...common,
    body: z.object({ is_on: z.boolean() }),
  }),
  /** Types a text into a terminal of the caller's own, whichever window shows it, as if it were pasted there. */
  typeIntoTerminal: endpoint('POST', 'wheelhouse/terminals/:session/type', {
    ...common,
    body: z.object({
      text: z.string().max(typedCharacters),
      /** Whether Return follows. */
      runs: z.boolean(),
    }),
    leadsTo: 'command',
  }),
  /** The latest first, at most 100 from an offset on: those of the caller's own terminals, for administrators all. */
  recordings: endpoint('GET', 'wheelhouse/recordings', {
    ...common,
    query: z.object({ search: z.string().max(200).optional(), offset: z.int().min(0).optional() }),
    reply: z.looseObject({ items: z.array(recording).default([]), total: z.int().default(0) }).default({
      items: [],
      total: 0,
    }),
  }),
  recording: endpoint('GET', 'wheelhouse/recordings/:recording', { ...common, reply: recording }),
  /** The file: asciicast v2, one event a line. */
  playRecording: endpoint('GET', 'wheelhouse/recordings/:recording/play', { ...common, sends: asciicast }),
  downloadRecording: endpoint('GET', 'wheelhouse/recordings/:recording/download', { ...common, sends: asciicast }),
  deleteRecording: endpoint('DELETE', 'wheelhouse/recordings/:recording', common),
  /** Snippets that everybody has. */
  snippets: endpoint('GET', 'wheelhouse/snippets', { ...common, reply: z.array(sharedSnippet).default([]) }),
  saveSnippet: endpoint('POST', 'wheelhouse/snippets', {
    makesRecord: true,
    scopes: ['nezha:admin:*'],
    access: 'admin',
    body: snippetForm,
    leadsTo: 'command',
  }),
  deleteSnippet: endpoint('DELETE', 'wheelhouse/snippets/:id', { scopes: ['nezha:admin:*'], access: 'admin' }),
}
